import { spawn } from 'node:child_process';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { cut, inert } from '#kernel/text.js';
import type { DrawnFormat, GraphDrawer } from '#ports/graph-drawer.js';

/** Maximum time and size of one picture. */
interface DrawingBounds {
  readonly ms: number;
  readonly bytes: number;
}

const BOUNDS: DrawingBounds = { ms: SURFACE_LIMITS.dotMs, bytes: SURFACE_LIMITS.dotBytes };

/** Draws pictures with the installed Graphviz. */
export class Graphviz implements GraphDrawer {
  private readonly folder: string;
  private readonly environment: NodeJS.ProcessEnv;
  private readonly bounds: DrawingBounds;

  /** `folder`: the working folder of the program. */
  constructor(folder: string, environment: NodeJS.ProcessEnv, bounds: DrawingBounds = BOUNDS) {
    this.folder = folder;
    this.environment = environment;
    this.bounds = bounds;
  }

  draw(dot: string, format: DrawnFormat): Promise<Buffer> {
    const { ms, bytes } = this.bounds;
    return new Promise((resolve, reject) => {
      const child = spawn('dot', [`-T${format}`], { cwd: this.folder, env: this.environment });
      const late = setTimeout(() => child.kill('SIGKILL'), ms);
      const chunks: Buffer[] = [];
      let [size, message] = [0, ''];
      child.stdout.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size <= bytes) chunks.push(chunk);
        else child.kill('SIGKILL');
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        message = cut(message + text, 500);
      });
      child.stdin.once('error', () => undefined); // it stopped reading: its messages or its exit code give the reason
      child.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(late);
        reject(error.code === 'ENOENT' ? new TroupeError('dot_missing', { cause: error }) : error);
      });
      child.once('close', (code) => {
        clearTimeout(late);
        if (size > bytes) reject(failed(`the picture is larger than ${bytes} bytes`));
        else if (code === null) reject(failed(`it was stopped after ${ms} ms`));
        else if (code === 0) resolve(Buffer.concat(chunks));
        else reject(failed(inert(message.trim()) || `it exited with ${code}`));
      });
      child.stdin.end(dot);
    });
  }
}

function failed(why: string): TroupeError {
  return new TroupeError('dot_failed', { why });
}
