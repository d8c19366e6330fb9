// Who the person at this browser is: an account's id, name and token, kept in the browser's storage.

const KEY = "starledger.player";

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return kept && typeof kept.token === "string" ? kept : null;
  } catch {
    return null;
  }
}

class Session extends EventTarget {
  current = read();
  wasLost = false;

  set(player) {
    this.current = player;
    this.wasLost = false;
    try {
      if (player) localStorage.setItem(KEY, JSON.stringify(player));
      else localStorage.removeItem(KEY);
    } catch {
      // Without storage the name lasts as long as the page.
    }
    this.dispatchEvent(new Event("change"));
  }

  /** The server doesn't know the token: it is forgotten, and the page says so. */
  lost() {
    this.set(null);
    this.wasLost = true;
    this.dispatchEvent(new Event("change"));
  }
}

export const session = new Session();

// Not before the first drawing: to listen to storage wakes the browser's.
setTimeout(() => {
  addEventListener("storage", (event) => {
    if (event.key !== KEY) return;
    session.current = read();
    session.dispatchEvent(new Event("change"));
  });
}, 1000);

/** A choice of this browser, such as "moves are sent at the first tap". */
export const setting = {
  get: (name) => {
    try {
      return localStorage.getItem(`starledger.${name}`);
    } catch {
      return null;
    }
  },
  set: (name, value) => {
    try {
      if (value === null) localStorage.removeItem(`starledger.${name}`);
      else localStorage.setItem(`starledger.${name}`, value);
    } catch {
      // It holds for this page only, then.
    }
  },
};
