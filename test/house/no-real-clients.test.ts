import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CLIENTS } from '#core/runs/plan.js';
import { withoutClients } from '../client-programs.js';
import { room } from '../room.js';
import { environment } from '../scenarios/program.js';

const found = (PATH: string, name: string) => {
  try {
    return execFileSync('/bin/sh', ['-c', 'command -v "$0"', name], { env: { PATH }, encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
};

test('no real client is on the PATH of what tests start; everything else is', () => {
  const folder = room('bin');
  for (const name of ['claude', 'codex', 'tool'])
    writeFileSync(path.join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
  const PATH = withoutClients(`${folder}:/usr/bin:/bin`, room('links'));
  expect(found(PATH, 'tool')).toContain('tool');
  expect(found(PATH, 'sh')).toBeDefined();
  for (const client of CLIENTS) {
    expect(found(PATH, client)).toBeUndefined();
    expect(found(environment()['PATH'] ?? '', client), client).toBeUndefined();
  }
});
