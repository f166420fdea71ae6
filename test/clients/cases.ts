import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { LocalClientPrograms } from '#adapters/processes/local-client-programs.js';
import type { ExecutorEvent, Usage } from '#core/runs/event.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { isSwitchable, NO_PARTS } from '#core/runs/own-parts.js';
import type { ExecutorPlan, Mode } from '#core/runs/plan.js';
import { sha256 } from '#kernel/hash.js';
import { type Pinned, worldsFolder } from './clients.js';
import { type Driven, drive } from './drive.js';
import { giveOwnParts, hostileFiles } from './hostile.js';
import type { ModelServer } from './model-server.js';
import { FIGURES, MADE, NOTED, type Script } from './script.js';

const TOKEN = 'scripted-token';
const OURS = path.resolve('dist/cli.cjs');
/** A tool server that is never called, for cases that are not about tools: pi does not start with a broken one. */
const SERVER = { command: process.execPath, args: [path.resolve('test/clients/tool-server.mjs'), '/dev/null'] };

/** Start-up time of a slow tool server in milliseconds: longer than the default timeout of some clients. */
const SLOW_MS = 12_000;

/** One client in a home and a project of its own. */
export class World {
  readonly client: Pinned;
  readonly home: string;
  readonly folder: string;
  readonly server: ModelServer;
  private readonly program: string;
  private readonly person: Record<string, string>;
  private runs = 0;

  constructor(client: Pinned, program: string, server: ModelServer) {
    this.client = client;
    this.server = server;
    this.program = program;
    this.home = mkdtempSync(path.join(worldsFolder(), `${client.name}-`));
    this.folder = path.join(this.home, 'work');
    mkdirSync(path.join(this.home, 'bin'), { recursive: true });
    symlinkSync(program, path.join(this.home, 'bin', client.name));
    mkdirSync(this.folder);
    const proxy = `http://127.0.0.1:${server.port}`;
    this.person = {
      PATH: `${path.join(this.home, 'bin')}:${process.env['PATH'] ?? ''}`,
      HOME: this.home,
      ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy },
      ...{ NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' },
      ...client.configure(this.home, server.port),
    };
  }

  async run(script: Script, more: More = {}): Promise<Driven> {
    this.runs += 1;
    const runId = `agent-${this.runs}`;
    const runFolder = path.join(this.folder, '.workgraph/agents', runId);
    const plan: ExecutorPlan = {
      ...{ taskId: 't', runId, model: this.client.model, provider: this.client.provider, mode: more.mode ?? 'full' },
      ...{ sessionId: more.sessionId ?? crypto.randomUUID(), resume: more.sessionId !== undefined },
      ...{ project: this.folder, folder: this.folder, runFolder },
      ...{ prompt: `Do what is asked.\nCASE:${script}\n${'x'.repeat(more.padding ?? 0)}\n`, allowUnsafe: false },
      own: more.own ?? { act: true, parts: NO_PARTS },
      // Clients that accept a roster get one, so that changes of the accepted form are noticed.
      agents: { developer: { description: 'Writes code.', prompt: 'You are developer.' } },
      ...{ projectSettings: more.projectSettings, tools: more.tools ?? SERVER },
    };
    return drive({
      executor: EXECUTORS[this.client.name],
      plan,
      program: this.program,
      person: this.person,
      run: { WG_RUN: `${this.home}/${runId}`, WG_RUN_TOKEN: TOKEN, WG_TASK_ID: 't', WG_AGENT_ID: runId, WG_FENCE: '1' },
      boundMs: more.boundMs ?? this.client.boundMs,
      ...(more.endWhen === undefined ? {} : { endWhen: more.endWhen }),
      before: more.before,
    });
  }

  /**
   * Creates a graph whose task `t` the first run of this world holds; returns the command of Troupe's tool server for
   * it.
   */
  async ownTools(): Promise<NonNullable<ExecutorPlan['tools']>> {
    const commands = [['init'], ['add', 'Do it', '--id', 't'], ['claim', 't', '--actor', 'agent-1']];
    for (const words of commands) await this.ours(words);
    const folder = path.join(this.folder, '.workgraph/agents/agent-1');
    mkdirSync(folder, { recursive: true });
    const record = { id: 'agent-1', task_id: 't', fence: 1, started_at: 0, timeout_ms: 1, command: '' };
    writeFileSync(path.join(folder, 'run.jsonl'), `${JSON.stringify({ ...record, token_hash: sha256(TOKEN) })}\n`);
    return { command: process.execPath, args: [OURS, 'mcp', '--dir', this.folder] };
  }

  /** The same client on another machine, with the same model. */
  elsewhere(): World {
    return new World(this.client, this.program, this.server);
  }

  /** Starts Troupe in the foreground, as the person does. */
  start(words: readonly string[]): ChildProcess {
    return spawn(process.execPath, [OURS, ...words], { cwd: this.folder, env: this.environment, stdio: 'pipe' });
  }

  /** Returns what Troupe prints for a command of the person. */
  async ours(words: readonly string[], form: readonly string[] = ['--json']): Promise<string> {
    const { stdout } = await promisify(execFile)(process.execPath, [OURS, ...words, ...form], {
      cwd: this.folder,
      env: this.environment,
    });
    return stdout;
  }

  /** Returns the first matching line that the client prints, and ends the client then. */
  async firstLine(words: readonly string[], fits: (line: string) => boolean = () => true): Promise<string> {
    const child = spawn(this.program, words, {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      for await (const line of createInterface({ input: child.stdout })) if (fits(line)) return line;
      return '';
    } finally {
      child.kill('SIGKILL');
    }
  }

  /** Puts Troupe on the path of the client, as `troupe`. */
  provideOurs(): void {
    const file = path.join(this.home, 'bin', 'troupe');
    writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${OURS}' "$@"\n`, { mode: 0o700 });
  }

  /** Environment of the person. */
  get environment(): Record<string, string> {
    return { ...this.person, USER: 'tess' };
  }

  has(name: string): boolean {
    return existsSync(path.join(this.folder, name));
  }

  content(name: string): string | undefined {
    return this.has(name) ? readFileSync(path.join(this.folder, name), 'utf8') : undefined;
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface More {
  readonly mode?: Mode;
  readonly sessionId?: string;
  readonly before?: Usage | undefined;
  readonly padding?: number;
  readonly boundMs?: number;
  readonly projectSettings?: boolean;
  readonly own?: ExecutorPlan['own'];
  readonly tools?: ExecutorPlan['tools'];
  readonly endWhen?: (event: ExecutorEvent) => boolean;
}

export interface Outcome {
  readonly ok: boolean;
  /** Observation, in a few words. */
  readonly seen: string;
  readonly driven?: Driven;
}

export interface Case {
  readonly name: string;
  run(world: World): Promise<Outcome>;
}

const REQUEST_MS = 3_000;
const isShell = ({ type, ...event }: ExecutorEvent) => type === 'tool' && 'state' in event && event.state === 'started';

function judged(driven: Driven, ok: boolean, seen: string): Outcome {
  return { ok, seen: `${seen}; exit ${driven.exit.signal ?? driven.exit.code}`, driven };
}

function figuresOf(driven: Driven, requests: number): boolean {
  const { usage } = driven.verdict;
  return (
    usage.input_tokens === requests * (FIGURES.input - FIGURES.cached) &&
    usage.cache_read_input_tokens === requests * FIGURES.cached &&
    usage.output_tokens === requests * FIGURES.output
  );
}

/** A case whose run must not succeed, whether it ends by itself or is ended. */
const failing = (name: string, script: Script): Case => ({
  name,
  async run(world) {
    const driven = await world.run(script);
    const how = driven.timedOut ? `bounded after ${world.client.boundMs} ms` : 'ended by itself';
    return judged(driven, driven.verdict.outcome === 'failed', `${how}: ${driven.verdict.reason}`);
  },
});

const notWriting = (mode: Mode): Case => ({
  name: `${mode} writes nothing`,
  async run(world) {
    const driven = await world.run('write', { mode });
    return judged(driven, !world.has(MADE.name), world.has(MADE.name) ? 'it wrote' : 'nothing written');
  },
});

/** Configuration of one workgroup, and the agents that its lead may write to. */
const WORKGROUP = {
  'project.yaml': 'name: TeaParty\nlead: teaparty-lead\nworkgroups: [coding]\nmembers: {workgroups: [Coding]}\n',
  'workgroups/coding.yaml': 'name: Coding\nlead: coding-lead\nmembers: {agents: [developer, reviewer, architect]}\n',
};
const AGENTS = ['developer', 'reviewer', 'architect'];

/** `roster.emit.client`: the client starts with the output of `roster … --agents`. Other clients accept no roster. */
const startsWithRoster: Case = {
  name: 'starts with a roster',
  async run(world) {
    if (world.client.name !== 'claude') return { ok: true, seen: 'takes none' };
    for (const [name, text] of Object.entries(WORKGROUP)) {
      const file = path.join(world.folder, '.teaparty/project', name);
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    const file = path.join('.teaparty/project/workgroups/coding.yaml');
    const roster = await world.ours(['roster', 'workgroup', file, '--project', 'TeaParty'], ['--agents']);
    const words = ['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--agents', roster];
    const { agents = [] } = JSON.parse(await world.firstLine(words)) as { agents?: string[] };
    return { ok: AGENTS.every((name) => agents.includes(name)), seen: `agents: ${agents.join(' ')}` };
  },
};

export const CASES: readonly Case[] = [
  startsWithRoster,
  {
    name: 'answers',
    async run(world) {
      const driven = await world.run('text');
      const { outcome, sessionId, turns } = driven.verdict;
      const ok = outcome === 'succeeded' && sessionId !== undefined && turns === 1 && figuresOf(driven, 1);
      return judged(driven, ok, `${outcome}, ${turns} turn, usage ${figuresOf(driven, 1) ? 'right' : 'wrong'}`);
    },
  },
  {
    name: 'writes a file by a tool',
    async run(world) {
      const driven = await world.run('write');
      const { outcome, toolCalls } = driven.verdict;
      const written = world.content(MADE.name) === MADE.content;
      return judged(driven, outcome === 'succeeded' && written && toolCalls === 1, `${outcome}, written: ${written}`);
    },
  },
  notWriting('light'),
  notWriting('bare'),
  {
    name: 'resumes',
    async run(world) {
      const first = await world.run('text');
      const { sessionId, cumulative } = first.verdict;
      if (sessionId === undefined) return judged(first, false, 'no session');
      const second = await world.run('text', { sessionId, before: cumulative });
      const ok = second.verdict.outcome === 'succeeded' && second.verdict.sessionId === sessionId;
      return judged(
        second,
        ok && figuresOf(second, 1),
        `same session: ${second.verdict.sessionId === sessionId}, own usage: ${figuresOf(second, 1)}`,
      );
    },
  },
  {
    name: 'prompt of 300 KB',
    async run(world) {
      const driven = await world.run('text', { padding: 300_000 });
      return judged(driven, driven.verdict.outcome === 'succeeded', driven.verdict.reason);
    },
  },
  {
    name: 'starts our server of tools',
    async run(world) {
      const notes = path.join(world.home, 'notes.txt');
      const tools = { command: process.execPath, args: [path.resolve('test/clients/tool-server.mjs'), notes] };
      const driven = await world.run('text', { tools });
      const noted = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
      const reached = noted.includes('token=scripted-token') && noted.includes('tools/list');
      const ok = reached;
      return judged(driven, ok, noted === '' ? 'not started' : noted);
    },
  },
  {
    name: 'waits for a slow server of tools',
    async run(world) {
      const notes = path.join(world.home, 'notes.txt');
      const server = [path.resolve('test/clients/tool-server.mjs'), notes, String(SLOW_MS)];
      const driven = await world.run('text', { tools: { command: process.execPath, args: server } });
      const noted = existsSync(notes) ? readFileSync(notes, 'utf8') : '';
      return judged(driven, noted.includes('tools/list'), noted === '' ? 'not started' : noted);
    },
  },
  {
    name: 'calls a tool of ours',
    async run(world) {
      const tools = await world.ownTools();
      const driven = await world.run('tool', { tools });
      const reached = (await world.ours(['log', 't', '--list'])).includes(NOTED);
      const ok = reached && driven.verdict.outcome === 'succeeded';
      return judged(driven, ok, `${driven.verdict.outcome}, reached our server: ${reached}`);
    },
  },
  failing('401', 'unauthorised'),
  failing('500', 'broken'),
  {
    name: 'silent model, TERM',
    async run(world) {
      const driven = await world.run('hang', { boundMs: REQUEST_MS * 2 });
      return judged(driven, driven.verdict.outcome === 'failed' && driven.timedOut, `orphans: ${driven.orphans}`);
    },
  },
  {
    name: 'TERM while a tool runs',
    async run(world) {
      const driven = await world.run('busy', { endWhen: isShell, boundMs: REQUEST_MS * 4 });
      return judged(driven, driven.verdict.outcome === 'failed', `orphans that had to be ended: ${driven.orphans}`);
    },
  },
  {
    name: 'own hooks and servers only where wanted',
    async run(world) {
      const { name } = world.client;
      if (!isSwitchable(name)) return { ok: true, seen: 'they are not switched' };
      const trace = path.join(world.home, 'own');
      giveOwnParts(name, world.environment, trace);
      const programs = new LocalClientPrograms(world.folder, world.environment);
      const parts = await programs.ownParts(name);
      const ranWith = async (act: boolean) => {
        rmSync(trace, { force: true });
        await world.run('text', { own: { act, parts } });
        return existsSync(trace) ? readFileSync(trace, 'utf8').trim().split('\n').sort().join(' ') : 'nothing';
      };
      const [off, on] = [await ranWith(false), await ranWith(true)];
      return { ok: off === 'nothing' && on !== 'nothing', seen: `off: ${off}, on: ${on}` };
    },
  },
  {
    name: 'hostile project runs nothing',
    async run(world) {
      const trace = path.join(world.home, 'hostile');
      hostileFiles(world.client.name, world.folder, trace);
      const driven = await world.run('text');
      const ran = existsSync(trace) ? readFileSync(trace, 'utf8') : undefined;
      // A client that starts programs of a repository unavoidably must declare it, so that it is not started in such a
      // project.
      const declared = EXECUTORS[world.client.name].actsOn.some((name) => world.has(name));
      const ok = (ran === undefined && driven.verdict.outcome === 'succeeded') || declared;
      const seen = ran === undefined ? 'nothing ran' : `it ran ${ran}`;
      return judged(driven, ok, declared ? `${seen}; such a project is declared as refused` : seen);
    },
  },
];
