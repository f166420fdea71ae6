import { Command } from '../drawer/Command.js';

/** What a browser without a session sees. */
export function LockedOut() {
  return (
    <main className="locked">
      <h1>This page needs a fresh address</h1>
      <p>
        Troupe lets a browser in with a code that works once. Yours is used or too old, or somebody logged all browsers
        out.
      </p>
      <p>Run this in the project folder, and open what it prints:</p>
      <Command text="troupe dashboard" />
    </main>
  );
}
