# One image for all roles: starledger api | worker | sender | relay, or starledger run for all in one.
ARG PYTHON=3.13

FROM python:${PYTHON}-slim AS build
WORKDIR /src
COPY pyproject.toml requirements.lock README.md LICENSE ./
RUN python -m venv /opt/starledger \
 && /opt/starledger/bin/pip install --no-cache-dir --constraint requirements.lock hatchling editables
COPY domain domain
COPY service service
COPY workers workers
RUN /opt/starledger/bin/pip install --no-cache-dir --no-build-isolation --constraint requirements.lock '.[export]'

FROM python:${PYTHON}-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin starledger \
 && install --directory --owner=starledger --group=starledger --mode=700 /data
COPY --from=build /opt/starledger /opt/starledger
ENV PATH=/opt/starledger/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    STARLEDGER_HOST=0.0.0.0 \
    STARLEDGER_DATA=/data
USER starledger
WORKDIR /data
VOLUME /data
EXPOSE 8000
ENTRYPOINT ["starledger"]
CMD ["run"]
