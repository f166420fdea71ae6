import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { PLUGINS } from '#core/playbooks/plugin-names.js';
import type { Case, World } from './cases.js';

/** Writes the plugins into the world's folder; returns their paths. */
async function writtenIn(world: World): Promise<readonly string[]> {
  await world.ours(['export', 'claude-plugins', 'plugins']);
  return PLUGINS.map((name) => path.join(world.folder, 'plugins', name));
}

/** `export.valid`: the client validates each plugin and the marketplace; a warning counts as a failure. */
const validates: Case = {
  name: 'takes our plugins for valid',
  async run(world) {
    if (world.client.name !== 'claude') return { ok: true, seen: 'has no such plugins' };
    const folders = await writtenIn(world);
    const said: string[] = [];
    for (const folder of [path.join(world.folder, 'plugins'), ...folders]) {
      const words = ['plugin', 'validate', '--strict', folder];
      const { stdout } = await promisify(execFile)('claude', words, { cwd: world.folder, env: world.environment });
      said.push(/passed(?! with)/.test(stdout) ? 'valid' : stdout);
    }
    return { ok: said.every((one) => one === 'valid') && said.length === PLUGINS.length + 1, seen: said.join(', ') };
  },
};

/** `export.names`: names under which a person and a model find the plugins, each loaded alone. */
const loads: Case = {
  name: 'loads our plugins, each alone',
  async run(world) {
    if (world.client.name !== 'claude') return { ok: true, seen: 'has no such plugins' };
    const wanted = ['roles:as', 'dev-crew:crew', 'brainstorm-panel:panel', 'research-sweep:sweep'];
    const seen: string[] = [];
    for (const [at, folder] of (await writtenIn(world)).entries()) {
      const words = ['-p', 'hello', '--output-format', 'stream-json', '--verbose', '--plugin-dir', folder];
      const { slash_commands = [], agents = [] } = await initOf(world, words);
      const others = wanted.filter((name, index) => index !== at && slash_commands.includes(name));
      if (slash_commands.includes(wanted[at] ?? '') && others.length === 0) seen.push(wanted[at] ?? '');
      if (at === 1) seen.push(...agents.filter((name) => name.startsWith('dev-crew:dc-')));
    }
    const made = existsSync(path.join(world.folder, '.claude/roles'));
    return {
      ok: seen.length === wanted.length + 4 && !made,
      seen: `${seen.join(' ')}${made ? ' and wrote roles' : ''}`,
    };
  },
};

interface Init {
  readonly subtype?: string;
  readonly slash_commands?: readonly string[];
  readonly agents?: readonly string[];
}

/** Hooks may print lines before it. */
async function initOf(world: World, words: readonly string[]): Promise<Init> {
  return JSON.parse(await world.firstLine(words, (line) => line.includes('"subtype":"init"'))) as Init;
}

/**
 * `gate.deny`, `gate.allow`: an agent of a crew starts when its phase may, and not before; the client gets the reason.
 */
const gates: Case = {
  name: 'asks our hook before an agent',
  async run(world) {
    if (world.client.name !== 'claude') return { ok: true, seen: 'has no such plugins' };
    await writtenIn(world);
    const run = path.join(world.folder, '.claude/dev-crew/runs/20261123-add-csv-export-1f0c');
    mkdirSync(run, { recursive: true });
    world.provideOurs();
    const words = [
      '-p',
      'CASE:delegates',
      '--output-format',
      'stream-json',
      '--verbose',
      '--plugin-dir',
      'plugins/dev-crew',
    ];
    const isAnswer = (line: string) => line.includes('"tool_result"') || line.includes('"type":"result"');
    const denied = await world.firstLine(words, isAnswer);
    writeFileSync(path.join(run, 'CONTRACT.md'), '## Done-criteria\n\n- CSV leaves\n');
    const allowed = await world.firstLine(words, isAnswer);
    const [first, second] = [/handoff_missing: there is no CONTRACT\.md/.test(denied), /Nothing to do/.test(allowed)];
    return { ok: first && second, seen: `without: ${first ? 'denied' : denied}; with: ${second ? 'begun' : allowed}` };
  },
};

export const PLUGIN_CASES: readonly Case[] = [validates, loads, gates];
