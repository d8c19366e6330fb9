// A form from a JSON Schema: whatever a game's options are, they can be chosen here.

import { html, useState } from "../vendor/htm-preact.js";
import { spoken } from "./words.js";

const resolve = (schema, root) =>
  schema.$ref ? resolve(schema.$ref.replace(/^#\//, "").split("/").reduce((at, name) => at[name], root), root) : schema;

/** Text with `code` in backquotes. */
export function Prose({ text }) {
  return text.split("`").map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}

const valueWords = (value) => (value === null ? "by chance" : spoken(String(value)));

function Field({ name, schema, root, value, onChange, error }) {
  const flat = resolve(schema, root);
  const choices = choicesOf(flat, root);
  const id = `option-${name}`;
  const help = flat.description || schema.description;
  const note = html`
    ${help && html`<span class="help" id=${`${id}-help`}><${Prose} text=${help} /></span>`}
    ${error && html`<span class="field-error" id=${`${id}-error`}>${error}</span>`}
  `;
  const described = `${help ? `${id}-help` : ""} ${error ? `${id}-error` : ""}`.trim() || undefined;
  const common = { id, name, "aria-describedby": described, "aria-invalid": error ? "true" : undefined };
  if (flat.type === "boolean") {
    return html`<div class="field">
      <label class="check"><input type="checkbox" ...${common} checked=${value === true} onChange=${(event) => onChange(event.target.checked)} /> ${spoken(name)}</label>
      ${note}
    </div>`;
  }
  if (choices) {
    const at = choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value));
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <select ...${common} onChange=${(event) => onChange(choices[event.target.value])}>
        ${choices.map((choice, index) => html`<option value=${index} selected=${index === at}>${valueWords(choice)}</option>`)}
      </select>
      ${note}
    </div>`;
  }
  if (flat.type === "integer" || flat.type === "number") {
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <input
        type="number" ...${common} min=${flat.minimum} max=${flat.maximum} value=${value}
        onInput=${(event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))}
      />
      ${note}
    </div>`;
  }
  if (flat.type === "string") {
    return html`<div class="field">
      <label for=${id}>${spoken(name)}</label>
      <input type="text" ...${common} value=${value ?? ""} maxlength=${flat.maxLength} onInput=${(event) => onChange(event.target.value)} />
      ${note}
    </div>`;
  }
  return html`<${JsonField} name=${name} common=${common} flat=${flat} root=${root} value=${value} onChange=${onChange} note=${note} />`;
}

/** Fixed values to choose among; null where there are others too. */
function choicesOf(schema, root) {
  if (schema.enum) return schema.enum;
  if ("const" in schema) return [schema.const];
  if (schema.type === "null") return [null];
  if (schema.type === "boolean") return [false, true];
  if (schema.type === "integer" && schema.minimum !== undefined && schema.maximum - schema.minimum < 20) {
    return Array.from({ length: schema.maximum - schema.minimum + 1 }, (_, at) => schema.minimum + at);
  }
  const parts = schema.anyOf || schema.oneOf;
  if (!parts) return null;
  const lists = parts.map((part) => choicesOf(resolve(part, root), root));
  return lists.every(Boolean) ? lists.flat() : null;
}

/** What has no simpler form is written as JSON; fixed values are offered beside it. */
function JsonField({ name, common, flat, root, value, onChange, note }) {
  const fixed = (flat.anyOf || flat.oneOf || []).map((part) => resolve(part, root)).flatMap((part) => choicesOf(part, root) ?? []);
  const isFixed = fixed.some((choice) => JSON.stringify(choice) === JSON.stringify(value));
  const [text, setText] = useState(isFixed || value === undefined ? "" : JSON.stringify(value, null, 1));
  const [wrong, setWrong] = useState("");
  const typed = (event) => {
    setText(event.target.value);
    try {
      onChange(JSON.parse(event.target.value));
      setWrong("");
    } catch (reason) {
      setWrong(reason.message);
    }
  };
  return html`<div class="field">
    <label for=${fixed.length ? `${common.id}-kind` : common.id}>${spoken(name)}</label>
    ${fixed.length > 0 &&
    html`<select id=${`${common.id}-kind`} onChange=${(event) => onChange(event.target.value === "own" ? [] : fixed[event.target.value])}>
      ${fixed.map((choice, at) => html`<option value=${at} selected=${isFixed && JSON.stringify(choice) === JSON.stringify(value)}>${valueWords(choice)}</option>`)}
      <option value="own" selected=${!isFixed}>My own</option>
    </select>`}
    ${!isFixed && html`<textarea rows="6" spellcheck="false" ...${common} aria-label=${`${spoken(name)}, as JSON`} value=${text} onInput=${typed} placeholder="JSON"></textarea>`}
    ${wrong && html`<span class="field-error">This is not JSON yet: ${wrong}</span>`}
    ${note}
  </div>`;
}

export function defaultsOf(schema) {
  return Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, each]) => [name, each.default]));
}

/** The options that differ from the defaults: what a request has to say. */
export function changedOf(schema, values) {
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => value !== undefined && JSON.stringify(value) !== JSON.stringify(schema.properties[name]?.default),
    ),
  );
}

export function SchemaForm({ schema, values, onChange, errors }) {
  return Object.entries(schema.properties ?? {}).map(
    ([name, each]) => html`<${Field}
      key=${name} name=${name} schema=${each} root=${schema} value=${values[name]} error=${errors?.[name]}
      onChange=${(value) => onChange({ ...values, [name]: value })}
    />`,
  );
}

/** The first message about each option, whatever its depth: the API names fields as `options.deck[0].kind`. */
export function optionErrors(errors) {
  const found = {};
  for (const [path, words] of Object.entries(errors ?? {})) {
    const [head, name] = path.split(/[.[\]]+/);
    if (head === "options" && name) found[name] ??= words;
  }
  return found;
}
