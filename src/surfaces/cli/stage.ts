import { terminalSize } from './terminal-size.js';

const ENTER = '\u001b[?1049h\u001b[?25l';
const LEAVE = '\u001b[?25h\u001b[?1049l';
const HOME = '\u001b[H';
const CLEAR_LINE = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/** Input and output of a terminal. */
export interface Stage {
  readonly input: NodeJS.ReadStream;
  readonly out: NodeJS.WriteStream;
}

/** Alternate screen of a terminal, without a cursor. */
export interface AlternateScreen {
  /** Called on a termination signal, or if the terminal is gone. */
  onEnd(listener: () => void): void;
  readonly closed: Promise<void>;
  /** Restores the earlier state of the terminal. Idempotent. */
  close(): void;
}

/** Alternate screen with keys, drawn as lines. */
export interface OpenStage extends AlternateScreen {
  columns(): number;
  rows(): number;
  draw(lines: readonly string[]): void;
  onKeys(listener: (data: string) => void): void;
  onResize(listener: () => void): void;
}

interface Undoing extends AlternateScreen {
  /** Adds a step of `close`; the steps are taken in reverse order. */
  undo(step: () => void): void;
  listen(target: NodeJS.EventEmitter, events: readonly string[], listener: (data: string) => void): void;
}

/**
 * Switches the terminal to the alternate screen, without a cursor. `close` restores it, and so does an exit of the
 * process if Node.js emits `exit`.
 */
export function openAlternateScreen({ input, out }: Stage): Undoing {
  let closing: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (closing = resolve));
  let isClosed = false;
  const steps: (() => void)[] = [];
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    for (const step of steps.reverse()) step();
    closing();
  };
  const undo = (step: () => void) => void steps.push(step);
  const listen: Undoing['listen'] = (target, events, listener) => {
    for (const event of events) {
      target.on(event, listener);
      undo(() => target.off(event, listener));
    }
  };
  process.once('exit', close);
  undo(() => process.off('exit', close));
  out.write(ENTER);
  undo(() => out.write(LEAVE));
  const onEnd = (listener: () => void) => {
    listen(process, ['SIGINT', 'SIGTERM', 'SIGHUP'], listener);
    listen(input, ['end', 'error'], listener);
  };
  return { undo, listen, onEnd, closed, close };
}

/** Opens the alternate screen, with the terminal in raw mode. */
export function openStage(stage: Stage): OpenStage {
  const { input, out } = stage;
  const { undo, listen, ...screen } = openAlternateScreen(stage);
  input.setRawMode(true);
  input.setEncoding('utf8').resume();
  undo(() => {
    input.setRawMode(false);
    input.pause();
  });
  return {
    ...screen,
    columns: () => terminalSize(out).columns,
    rows: () => terminalSize(out).rows,
    draw: (lines) => {
      const text = lines.map((line) => `${line}${CLEAR_LINE}`).join('\r\n');
      out.write(`${HOME}${text}${CLEAR_BELOW}`);
    },
    onKeys: (listener) => listen(input, ['data'], listener),
    onResize: (listener) => listen(out, ['resize'], listener),
  };
}
