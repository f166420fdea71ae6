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

/** Full-screen use of the terminal; closing restores its earlier state. */
export interface OpenStage {
  columns(): number;
  rows(): number;
  draw(lines: readonly string[]): void;
  onKeys(listener: (data: string) => void): void;
  onResize(listener: () => void): void;
  /** Called on a termination signal, or if the terminal is gone. */
  onEnd(listener: () => void): void;
  readonly closed: Promise<void>;
  /** Idempotent. */
  close(): void;
}

/**
 * Switches the terminal to the alternate screen, without a cursor and in raw mode. `close` restores it, and so does an
 * exit of the process if Node.js emits `exit`.
 */
export function openStage({ input, out }: Stage): OpenStage {
  let closing: () => void = () => undefined;
  const closed = new Promise<void>((resolve) => (closing = resolve));
  let isClosed = false;
  const undo: (() => void)[] = [];
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    for (const step of undo.reverse()) step();
    closing();
  };
  process.once('exit', close);
  undo.push(() => process.off('exit', close));
  out.write(ENTER);
  undo.push(() => out.write(LEAVE));
  input.setRawMode(true);
  input.setEncoding('utf8').resume();
  undo.push(() => {
    input.setRawMode(false);
    input.pause();
  });
  const listen = (target: NodeJS.EventEmitter, events: readonly string[], listener: (data: string) => void) => {
    for (const event of events) {
      target.on(event, listener);
      undo.push(() => target.off(event, listener));
    }
  };
  return {
    columns: () => out.columns || 80, // a terminal of unknown size reports 0
    rows: () => out.rows || 24,
    draw: (lines) => {
      const text = lines.map((line) => `${line}${CLEAR_LINE}`).join('\r\n');
      out.write(`${HOME}${text}${CLEAR_BELOW}`);
    },
    onKeys: (listener) => listen(input, ['data'], listener),
    onResize: (listener) => listen(out, ['resize'], listener),
    onEnd: (listener) => {
      listen(process, ['SIGINT', 'SIGTERM', 'SIGHUP'], listener);
      listen(input, ['end', 'error'], listener);
    },
    closed,
    close,
  };
}
