import { nodeLine } from '#core/graph/line.js';
import { asTroupeError } from '#kernel/errors.js';
import type { Context, Operation } from '#operations/operation.js';

/** An answer as lines of a golden file: one per field, and one per element of a list. */
export function told(answer: unknown): string[] {
  return fieldsOf(answer).flatMap(([name, rows]) => [`  ${name}`, ...(rows ?? []).map((row) => `    ${row}`)]);
}

/** A sequence of operation calls with their answers or refusals. */
export class Calls {
  readonly lines: string[] = [];
  private readonly context: () => Context;

  constructor(context: () => Context) {
    this.context = context;
  }

  async say<Given, Taken>(operation: Operation<string, Given, Taken, unknown>, input: Given): Promise<unknown> {
    const work = async () => await operation.run(this.context(), input as unknown as Taken);
    const answer = await work().catch((error: unknown) => {
      const { code, message, hint } = asTroupeError(error);
      return { refused: `${code}: ${message}`, hint };
    });
    this.lines.push(`${operation.name} ${JSON.stringify(input)}`, ...told(answer));
    return answer;
  }

  /** Appends the current state of all tasks, as in the file: in memory, the order of fields has no meaning. */
  async tasks(): Promise<void> {
    const nodes = [...(await (await this.context().graph()).view()).nodes()].map(nodeLine).sort();
    this.lines.push('tasks', ...nodes.map((node) => `  ${node}`));
  }

  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }
}

/** Lines of a golden file without repetition: of a list, only added and removed elements. */
export class Telling {
  readonly lines: string[] = [];
  private readonly before = new Map<string, readonly string[]>();

  say(title: string, answer: unknown): void {
    const changes = fieldsOf(answer).flatMap(([name, rows]) =>
      this.changes(`${title} ${name.split(':')[0]}`, name, rows),
    );
    if (changes.length > 0) this.lines.push(title, ...changes.map((one) => `  ${one}`));
  }

  /** The whole file. */
  get text(): string {
    return `${this.lines.join('\n')}\n`;
  }

  private changes(field: string, name: string, rows: readonly string[] | undefined): string[] {
    const [now, earlier] = [rows ?? [name], this.before.get(field)];
    this.before.set(field, now);
    if (earlier === undefined) return rows ? [name, ...now.map((row) => `  ${row}`)] : [...now];
    const came = now.filter((row) => !earlier.includes(row)).map((row) => (rows ? `+ ${row}` : row));
    const went = rows ? earlier.filter((row) => !now.includes(row)).map((row) => `- ${row}`) : [];
    return came.length + went.length === 0 || !rows ? came : [name, ...went, ...came];
  }
}

/** Splits an answer into fields; each list, also in nested objects, has its elements as rows. */
export function fieldsOf(answer: unknown, path = ''): [name: string, rows: readonly string[] | undefined][] {
  if (Array.isArray(answer) && (path === '' || answer.some(isObject)))
    return [[`${path}:`, answer.map((one) => JSON.stringify(one))]];
  if (!isObject(answer) || (path !== '' && !Object.values(answer).some(Array.isArray)))
    return [[`${path}: ${JSON.stringify(answer)}`, undefined]];
  return Object.entries(answer).flatMap(([name, value]) => fieldsOf(value, path === '' ? name : `${path}.${name}`));
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
