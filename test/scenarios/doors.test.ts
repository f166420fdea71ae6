import { chmodSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect } from 'vitest';
import { SERVICE_REQUESTS } from '#core/coordinator/service-requests.js';
import { MAIL_RIGHTS } from '#core/mail/conversation.js';
import { isForPeopleOnly } from '#operations/declaration.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { offerToRun } from '#surfaces/mcp/offers.js';
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
    asks('projects', 'projects', ''),
    asks('bare-projects', 'projects'),
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
    for (const name of ['dashboard', 'tick', 'bare-dashboard', 'bare-config', 'bare-stop', 'projects', 'bare-projects'])
      expect([name, codeOf(name)]).toEqual([name, 'not_yours']);
    expect(codeOf('orphan'), 'it still has the mark of a run').toBe('not_yours');
    expect(textOf(path.join(out, 'bare-list.code')).trim(), 'who only looks').toBe('0');
    // It adds what a run may add, in its own name.
    expect(readJson(path.join(out, 'bare-add.out'))).toMatchObject({ task: { created_by: 'agent-1' } });
    expect(await asked(['service', 'status'], { cwd })).toMatchObject({ pid });
    // A person at work beside it is one: this process is older than the run.
    expect(await asked(['dashboard'], { cwd })).toMatchObject({ address: expect.stringContaining('#code=') });
  });
});

const EVERY_DOOR = path.resolve(import.meta.dirname, '../fixtures/every-door.mjs');

const SPECS = [...OPERATIONS, ...UNLISTED];

/** Operations a service has that only a person may use. */
const ACTS = SPECS.filter((spec) => isForPeopleOnly(spec) && spec.where !== 'caller').map(({ name }) => name);

/** What a row opens to runs, asked for as only a person may ask for it. */
const BEYOND = {
  'task.approve': { id: 'own' },
  'task.reject': { id: 'own', reason: 'no' },
  'task.edit': { id: 'victim', exec: 'touch pwned' },
  'task.resume': { id: 'victim' },
  'task.log': { id: 'victim', message: 'I approve', actor: 'ann' },
  'roles.graduate': { id: 'x' },
  'roles.accept': { id: 'x' },
};

/** Every act of a person as the doors of a service take it: lines of the socket, and bodies by address. */
function everyAct() {
  const operations = [...ACTS.map((name) => [name, {}] as const), ...Object.entries(BEYOND)];
  const service = Object.entries(SERVICE_REQUESTS).filter(([, act]) => isForPeopleOnly(act));
  return {
    requests: Object.fromEntries([
      ...operations.map(([name, input]) => [name, { cmd: 'operation', name, input }]),
      ...[...service.map(([cmd]) => cmd), 'pause', 'resume', 'reconfigure', 'shutdown'].map((cmd) => [cmd, { cmd }]),
      ['spawn', { cmd: 'spawn', task_id: 'victim' }],
      ['kill', { cmd: 'kill', agent_id: 'agent-1' }],
      ['user_chat', { cmd: 'user_chat', message: 'x' }],
    ]),
    addresses: Object.fromEntries([
      ...operations.map(([name, body]) => {
        const address = `/api/${name.replaceAll('.', '/')}`;
        return [name, SPECS.find((spec) => spec.name === name)?.kind === 'read' ? { address } : { address, body }];
      }),
    ]),
  };
}

describe('an act of a person', () => {
  verifies('door.socket', 'is done for no run, at the socket and over HTTP, whoever it says it is', async () => {
    const cwd = await project();
    const out = room('out');
    const acts = path.join(out, 'acts.json');
    writeFileSync(acts, JSON.stringify(everyAct()));
    const words = `"${process.execPath}" "${EVERY_DOOR}" "${cwd}" "${acts}"`;
    const script = path.join(out, 'walk.sh');
    writeFileSync(
      script,
      [
        `"${process.execPath}" "${CLI}" add Own --id own --verify 'A person looks'`,
        `"${process.execPath}" "${CLI}" done own`,
        `${words} "${out}/below.json"`,
        `( setsid env -i PATH="$PATH" bash -c '${words.replaceAll("'", '')} "${out}/orphan.json"' & )`,
        `until [ -s "${out}/orphan.json" ]; do sleep 0.05; done`,
      ].join('\n'),
    );
    await asked(['add', 'Victim', '--id', 'victim', '--paused'], { cwd });
    await asked(['config', 'set', 'clients.sandbox', 'off'], { cwd }); // a sandbox would leave it no door to try
    await startService(cwd);
    await asked(['dashboard'], { cwd });
    await asked(['add', 'Walk', '--id', 'walk', '--exec', `bash ${script}`], { cwd });
    await untilStatus(cwd, 'walk', 'done');
    const refusals = new Set(['not_yours', 'caller_unclear', 'own_work', 'user_only']);
    for (const place of ['below', 'orphan']) {
      const codes = readJson<Record<string, string>>(path.join(out, `${place}.json`)) ?? {};
      expect(Object.keys(codes).length).toBeGreaterThan(5 * ACTS.length);
      expect(Object.entries(codes).filter(([, code]) => !refusals.has(code))).toEqual([]);
    }
    // The person beside it is one all the while.
    expect(await asked(['approve', 'own'], { cwd })).toMatchObject({ task: { status: 'done' } });
    expect(await asked(['show', 'victim'], { cwd })).toMatchObject({ status: 'open', paused: true });
  });

  verifies('door.socket', 'is no tool that a run is offered', () => {
    const offered = MAIL_RIGHTS.flatMap((mail) => offerToRun('a', mail, '').specs);
    expect(offered.length).toBeGreaterThan(50);
    expect(offered.filter(isForPeopleOnly).map(({ name }) => name)).toEqual([]);
  });
});
