import { html } from "../vendor/htm-preact.js";
export default () => html`<p>…</p>`;
