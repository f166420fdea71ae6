/**
 * Pictures drawn by the installed Graphviz.
 * @packageDocumentation
 */
import { spawn } from 'node:child_process';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { DrawnFormat, GraphDrawer } from '#ports/graph-drawer.js';

/** Pictures drawn by the installed Graphviz. */
export class Graphviz implements GraphDrawer {
  private readonly folder: string;
  private readonly environment: NodeJS.ProcessEnv;

  /** `folder`: where it runs. */
  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.folder = folder;
    this.environment = environment;
  }

  draw(dot: string, format: DrawnFormat): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const child = spawn('dot', [`-T${format}`], {
        cwd: this.folder,
        env: this.environment,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const late = setTimeout(() => child.kill('SIGKILL'), LIMITS.dotMs);
      const chunks: Buffer[] = [];
      let [size, message] = [0, ''];
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= LIMITS.dotBytes) chunks.push(chunk);
        else child.kill('SIGKILL');
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        message = cut(message + text, 500);
      });
      child.stdin.once('error', (error) => {
        message ||= error.message; // it stopped reading: why stands in its own words, or in how it ended
      });
      child.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(late);
        reject(error.code === 'ENOENT' ? new TroupeError('dot_missing', { cause: error }) : error);
      });
      child.once('close', (code) => {
        clearTimeout(late);
        if (code === 0 && size <= LIMITS.dotBytes) resolve(Buffer.concat(chunks));
        else reject(new TroupeError('dot_failed', { why: reasonOf(code, size, message) }));
      });
      child.stdin.end(dot);
    });
  }
}

function reasonOf(code: number | null, size: number, message: string): string {
  if (size > LIMITS.dotBytes) return `the picture is larger than ${LIMITS.dotBytes} bytes`;
  if (code === null) return `it was stopped after ${LIMITS.dotMs} ms`;
  return inert(message.trim()) || `it exited with ${code}`;
}
