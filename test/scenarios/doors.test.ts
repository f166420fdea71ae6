import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, CLI, project, readJson, startService, textOf, untilStatus } from './program.js';

/** A script of a hostile command: it forgets who it is and asks for what a person decides; codes go into a file. */
function hostile(out: string): string {
  const bare = `env -i PATH="$PATH" HOME="$HOME" XDG_RUNTIME_DIR="$XDG_RUNTIME_DIR"`;
  const asks = (name: string, words: string, how = bare) =>
    `${how} "${process.execPath}" "${CLI}" ${words} --json > "${out}/${name}.out" 2> "${out}/${name}.err"; echo $? > "${out}/${name}.code"`;
  return [
    '#!/usr/bin/env bash',
    `export XDG_RUNTIME_DIR="$HOME"`,
    asks('dashboard', 'dashboard', ''),
    asks('tick', 'service tick', ''),
    asks('bare-dashboard', 'dashboard'),
    asks('bare-config', 'config set coordinator.max_agents 9'),
    asks('bare-stop', 'service stop --force'),
    asks('bare-add', 'add Wanted'),
    asks('bare-list', 'list'),
    // Nobody's child, in a session of its own: nothing above it tells whose it is.
    `( setsid ${bare} OUT="${out}" bash -c '"${process.execPath}" "${CLI}" config set coordinator.max_agents 9 --json 2> "$OUT/orphan.err"; echo $? > "$OUT/orphan.code"' & )`,
    `until [ -s "${out}/orphan.code" ]; do sleep 0.05; done`,
  ].join('\n');
}

describe('a command below a run', () => {
  verifies(['sec.doors', 'sec.caller'], 'is that run, whatever it took out of its environment', async () => {
    const cwd = await project();
    const out = room('out');
    const script = path.join(out, 'hostile.sh');
    writeFileSync(script, hostile(out));
    chmodSync(script, 0o700);
    await asked(['add', 'Look', '--id', 'look', '--exec', script], { cwd });
    const { pid } = await startService(cwd);
    await untilStatus(cwd, 'look', 'done');
    const codeOf = (name: string) => readJson<{ error: { code: string } }>(path.join(out, `${name}.err`))?.error.code;
    for (const name of ['dashboard', 'tick', 'bare-dashboard', 'bare-config', 'bare-stop'])
      expect([name, codeOf(name)]).toEqual([name, 'not_yours']);
    expect(codeOf('orphan')).toBe('caller_unclear');
    expect(textOf(path.join(out, 'bare-list.code')).trim(), 'who only looks').toBe('0');
    // It adds what a run may add, in its own name.
    expect(readJson(path.join(out, 'bare-add.out'))).toMatchObject({ task: { created_by: 'agent-1' } });
    expect(await asked(['service', 'status'], { cwd })).toMatchObject({ pid });
    // A person at work beside it is one: this process is older than the run.
    expect(await asked(['dashboard'], { cwd })).toMatchObject({ address: expect.stringContaining('#code=') });
  });
});
