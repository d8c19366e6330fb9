import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Command = components["schemas"]["Command"];

declare const process: { argv: string[] };
const [, , baseUrl, game] = process.argv;
if (baseUrl === undefined || (game !== "beam-me-up" && game !== "planet-pioneer" && game !== "universal-match")) {
  throw new Error("usage: node play.js ADDRESS GAME");
}

function must<T>(answer: { data?: T; error?: { code: string; detail: string } }): T {
  if (answer.data === undefined) throw new Error(`${answer.error?.code}: ${answer.error?.detail}`);
  return answer.data;
}

const client = createClient<paths>({ baseUrl });
const me = must(await client.POST("/v1/players", { body: { name: "Ada", kind: "bot" } }));
client.use({
  onRequest({ request }) {
    request.headers.set("Authorization", `Bearer ${me.token}`);
    return request;
  },
});
const made = must(
  await client.POST("/v1/tables", { body: { game, seats: [{ kind: "me" }, { kind: "ai", bot: "random" }] } }),
);
const params = { path: { table: made.id } };

let posted = 0;
for (;;) {
  const table = must(await client.GET("/v1/tables/{table}", { params }));
  if (table.status === "finished") {
    console.log(JSON.stringify({ posted, table: table.id, outcome: table.outcome }));
    break;
  }
  const offer = must(await client.GET("/v1/tables/{table}/commands", { params }));
  const command: Command | undefined = offer.commands.find(({ type }) => type !== "resign");
  if (command === undefined) {
    const query = { after: offer.version, wait: 10 };
    must(await client.GET("/v1/tables/{table}/events", { params: { ...params, query } }));
    continue;
  }
  const header = { "Idempotency-Key": `${table.id}-${offer.version}` };
  const done = must(await client.POST("/v1/tables/{table}/commands", { params: { ...params, header }, body: command }));
  if (done.entries[0]?.seat !== table.you?.seat) throw new Error("somebody else's entry");
  posted += 1;
}
