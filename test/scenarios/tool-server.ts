import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { expect, onTestFinished } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { toolName } from '#surfaces/mcp/offers.js';
import { holdAnswer } from '../answers.js';
import { CLI, until } from './program.js';

interface Answer {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number };
}

/** A tool server, as a client starts it. */
export class ToolServer {
  private readonly child: ChildProcess;
  private readonly answers = new Map<number, Answer>();
  private asked = 0;
  stderr = '';
  code: number | null | undefined;

  constructor(cwd: string, env: Record<string, string>, words: readonly string[] = []) {
    this.child = spawn(process.execPath, [CLI, 'mcp', ...words, '--dir', cwd], {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
    this.child.stderr?.on('data', (bytes: Buffer) => {
      this.stderr += String(bytes);
    });
    this.child.once('exit', (code) => {
      this.code = code;
    });
    if (this.child.stdout) {
      createInterface({ input: this.child.stdout }).on('line', (line) => {
        const answer = JSON.parse(line) as Answer;
        if (answer.id !== undefined) this.answers.set(answer.id, answer);
      });
    }
  }

  async request(method: string, params: object = {}): Promise<Answer> {
    const id = ++this.asked;
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await until(`an answer to ${method}`, () => this.answers.has(id));
    return this.answers.get(id) ?? {};
  }

  async open(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    const { result } = await this.request('initialize', {
      ...{ protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
    });
    expect(result).toMatchObject({ protocolVersion: '2025-06-18', serverInfo: { name: 'troupe' } });
    this.child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  }

  /** Result of a tool, or the error code of its refusal. */
  async call(name: string, said: object = {}): Promise<unknown> {
    const { result, error } = await this.request('tools/call', { name, arguments: said });
    if (error) return error.code;
    const { content, isError } = result as { content: { text: string }[]; isError?: boolean };
    const value = JSON.parse(content[0]?.text ?? 'null');
    if (isError) return value.error.code;
    const spec = OPERATIONS.find((one) => toolName(one) === name);
    if (spec) await holdAnswer(spec, value);
    return value;
  }

  async closed(): Promise<void> {
    this.child.stdin?.end();
    await until('it to end', () => this.code !== undefined);
  }
}
