"""What the page is sent: small, cached, compressed, no inline script, nothing foreign. No browser is needed here."""

import base64
import gzip
import hashlib
import re
import shutil

import pytest
from flask import Flask

from service.web import web_page
from service.web.blueprint import ADDRESSES, THEME_COOKIE
from service.web.bundle import BUNDLES, SOURCE, NotUnderstood, bundles
from service.web.files import STATIC, THEMES, VIEWS, load

FIRST_VIEW = 150_000
"""Bytes, compressed."""
PICTURE = 150_000
DOCS = STATIC.parents[2] / "docs"
VENDORED = "72284e8e9079c87817145df1110f74e8a2aa040b2fc384922e18dfcb46fc1fd7"
OWN = sorted(
    path for folder in (SOURCE, STATIC) for path in folder.rglob("*") if path.is_file() and path.parent.name != "vendor"
)


@pytest.fixture(scope="module")
def files():
    return load()


@pytest.fixture
def web(files):
    app = Flask("page", static_folder=None)
    app.register_blueprint(web_page(files))
    return app.test_client()


def test_every_address_of_the_page_answers_with_the_shell(web):
    for address in ADDRESSES:
        answer = web.get(address.replace("<id>", "abc"))
        assert (200, "text/html; charset=utf-8") == (answer.status_code, answer.content_type)
        assert b'<div id="app">' in answer.data
    assert 404 == web.get("/nowhere").status_code


def test_the_policy_allows_no_inline_script_and_nothing_foreign_and_of_styles_the_documents_own(web):
    for address in ADDRESSES:
        answer = web.get(address.replace("<id>", "abc"))
        policy = answer.headers["Content-Security-Policy"]
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        assert "'none'" == rules["default-src"]
        assert {"'self'"} == {rules[name] for name in ("script-src", "connect-src", "img-src")}
        (style,) = re.findall(r"<style>(.*?)</style>", answer.text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
        assert f"'self' 'sha256-{digest}'" == rules["style-src"]
        assert "unsafe" not in policy
        assert "http" not in policy


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("view", VIEWS)
def test_the_shell_has_no_inline_script(files, view, theme):
    shell = files.shells[view, theme].body.decode()
    assert [] == [script for script in re.findall(r"<script([^>]*)>", shell) if "src=" not in script]
    assert [] == re.findall(r"\son\w+=|\sstyle=", shell)
    assert "{{" not in shell


def test_the_style_in_the_document_says_what_its_file_says(files):
    (style,) = re.findall(r"<style>(.*?)</style>", files.shells["lobby", ""].body.decode(), re.DOTALL)
    written = re.sub(r"/\*.*?\*/", "", (STATIC / "css" / "base.css").read_text(), flags=re.DOTALL)
    assert written.split() == style.split()  # between two words a space may mean something
    assert "</" not in style


def test_a_chosen_theme_stands_in_the_document_and_no_other_word_does(web):
    tags = set()
    for chosen, said in (("dark", "dark"), ("light", "light"), ("system", None), ('"><script>', None)):
        web.set_cookie(THEME_COOKIE, chosen)
        answer = web.get("/")
        assert ([said] if said else []) == re.findall(r'<html lang="en" data-theme="(.*?)">', answer.text)
        assert "Cookie" in answer.headers.getlist("Vary")
        assert "script>" not in answer.text.partition("<head>")[0]
        tags.add(answer.headers["ETag"])
    assert len(THEMES) == len(tags)


def test_no_file_names_a_foreign_host():
    hosts = {
        (path.name, host)
        for path in OWN
        for host in re.findall(r"(?:https?:)?//([a-z0-9-]+(?:\.[a-z0-9-]+)+)", path.read_text())
    }
    assert {("icon.svg", "www.w3.org"), ("first.js", "www.w3.org")} == hosts  # the namespace of SVG


def test_no_file_makes_html_from_text():
    vendored = (SOURCE / "vendor" / "htm-preact.js").read_text()
    for path in OWN:
        text = path.read_text().replace(vendored.partition("export{")[0], "")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function"):
            assert word not in text, path


def test_files_are_kept_for_ever_under_an_address_that_names_their_content(web, files):
    answer = web.get(f"/web/{files.edition}/first.js")
    assert "public, max-age=31536000, immutable" == answer.headers["Cache-Control"]
    assert "text/javascript; charset=utf-8" == answer.content_type
    other = web.get("/web/0000000000000000/first.js")
    assert (200, "no-cache") == (other.status_code, other.headers["Cache-Control"])
    assert 404 == web.get(f"/web/{files.edition}/nothing.js").status_code
    assert 404 == web.get(f"/web/{files.edition}/../blueprint.py").status_code


def test_the_edition_changes_with_any_file(tmp_path):
    (tmp_path / "index.html").write_text("{{edition}}")
    (tmp_path / "lobby.html").write_text("")
    (tmp_path / "css").mkdir()
    (tmp_path / "css" / "base.css").write_text("")
    (tmp_path / "a.js").write_text("1")
    first = load(tmp_path)
    assert first.edition == load(tmp_path).edition == first.shells["other", ""].body.decode()
    (tmp_path / "a.js").write_text("2")
    assert first.edition != load(tmp_path).edition


def test_files_are_compressed_for_who_takes_it(web, files):
    path = f"/web/{files.edition}/first.js"
    packed = web.get(path, headers={"Accept-Encoding": "gzip, br"})
    plain = web.get(path)
    assert "gzip" == packed.headers["Content-Encoding"]
    assert "Content-Encoding" not in plain.headers
    assert plain.data == gzip.decompress(packed.data)
    assert packed.headers["ETag"] != plain.headers["ETag"]


def test_the_shell_is_asked_for_again_and_answered_by_304(web):
    first = web.get("/")
    assert "no-cache" == first.headers["Cache-Control"]
    again = web.get("/", headers={"If-None-Match": first.headers["ETag"]})
    assert (304, b"") == (again.status_code, again.data)


def named(files, view):
    return set(re.findall(rf"/web/{files.edition}/([\w./-]+)", files.shells[view, ""].body.decode()))


@pytest.mark.parametrize("view", VIEWS)
def test_the_first_view_of_each_kind_is_small(files, view):
    size = len(files.shells[view, ""].packed) + sum(len(files.files[name].packed) for name in named(files, view))
    assert 10_000 < size < FIRST_VIEW


@pytest.mark.parametrize("view", VIEWS)
def test_the_first_view_of_each_kind_is_named_whole_in_its_shell(files, view):
    """What a script imports is fetched at once, not one round trip after the other."""
    for name in [each for each in named(files, view) if each.endswith(".js")]:
        for wanted in re.findall(r'^import .*?from "\./([^"]+)"', files.files[name].body.decode(), re.MULTILINE):
            assert wanted in named(files, view), name


def test_each_address_has_the_shell_that_fetches_what_it_needs(web):
    lobby, part = web.get("/").text, web.get("/?status=playing").text
    assert 'as="fetch" href="/v1/tables?status=open&limit=20"' in lobby
    assert 'rel="preload"' not in part
    assert "/table.js" in web.get("/tables/abc").text
    assert "/table.js" in web.get("/tables/abc/replay?at=3").text
    assert "/more.js" in web.get("/verify").text


def test_the_scripts_are_what_their_modules_say(files):
    """Else `make page` was forgotten, or a script was changed by hand."""
    assert set(BUNDLES) == {name for name in files.files if name.endswith(".js")} - {"early.js"}
    for name, text in bundles().items():
        assert text.encode() == files.files[name].body, name


def changed(tmp_path, module, old, new):
    source = tmp_path / "source"
    shutil.copytree(SOURCE, source)
    text = (source / module).read_text()
    assert old in text
    (source / module).write_text(text.replace(old, new, 1))
    return source


def test_a_changed_module_changes_its_script(tmp_path):
    made = bundles(changed(tmp_path, "pages/verify.js", 'usePage("Verify a record"', 'usePage("Check a record"'))
    assert ["more.js"] == [name for name, text in made.items() if text != bundles()[name]]


@pytest.mark.parametrize(
    "said",
    [
        'import * as all from "./words.js";\n',
        "export { all };\n",
        "export let all = 1;\n",
        'import first, { all } from "./words.js";\n',
        'export * from "./words.js";\n',
        'import "./words.js";\n',
    ],
)
def test_what_the_scripts_maker_does_not_understand_is_refused(tmp_path, said):
    source = changed(tmp_path, "lib/session.js", "const KEY", f"{said}const KEY")
    with pytest.raises(NotUnderstood, match=re.escape(said.strip())):
        bundles(source)


def test_modules_that_import_each_other_in_a_circle_are_refused(tmp_path):
    source = changed(tmp_path, "lib/session.js", "const KEY", 'import { api } from "./api.js";\nconst KEY')
    with pytest.raises(NotUnderstood, match="a circle of imports"):
        bundles(source)


def test_what_is_vendored_is_unchanged_and_has_its_licences(files):
    assert VENDORED == hashlib.sha256((SOURCE / "vendor" / "htm-preact.js").read_bytes()).hexdigest()
    assert b"Apache License" in files.files["vendor/htm-LICENSE.txt"].body
    assert b"The MIT License" in files.files["vendor/preact-LICENSE.txt"].body


def test_every_picture_is_shown_and_small():
    shown = re.findall(r"!\[[^\]]+\]\(screenshots/([\w-]+\.webp)\)", (DOCS / "page.md").read_text())
    pictures = {path.name: path.stat().st_size for path in (DOCS / "screenshots").iterdir() if path.suffix != ".py"}
    assert sorted(pictures) == sorted(shown)
    assert all(1_000 < size < PICTURE for size in pictures.values())
