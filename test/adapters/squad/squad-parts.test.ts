import { existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { LedgerFolder } from '#adapters/squad/ledger-folder.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { fingerprint, readSmall, readTexts } from '#adapters/squad/squad-reader.js';
import { OLDER_AGENTS, OLDER_FILES } from '#core/squad/layout.js';
import { USAGE_FOLDERS } from '#core/squad/outputs.js';
import {
  AGENTS_FOLDER,
  ALUMNI_FOLDER,
  CLAUDE_AGENTS,
  DECISIONS_MD,
  FIXED_FILES,
  GITHUB_AGENTS,
  HISTORY_EVENTS,
  isSquadFile,
  REGISTRY_EVENTS,
  TEAM_MD,
} from '#core/squad/squad-paths.js';
import { systemClock } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { propose } from '../../core/casting/stage.js';
import { ALONE } from '../../lone-squad.js';
import { openBelow } from '../../open-files.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

test('each file of the team is read, and no other; older ones only where there is no team', async () => {
  const project = room('squad');
  const agents = ['charter.md', 'charter.prev.md', 'history.md'].map((name) => `${AGENTS_FOLDER}/neo/${name}`);
  const alumni = ['charter.md', 'charter.1.md', 'charter.123456.md'].map((name) => `${ALUMNI_FOLDER}/trinity/${name}`);
  const clients = [`${CLAUDE_AGENTS}/squad-neo.md`, `${GITHUB_AGENTS}/squad-neo.agent.md`].filter(isSquadFile);
  const older = [...OLDER_FILES, `${OLDER_AGENTS}/neo/charter.md`, `${OLDER_AGENTS}/neo/history.md`];
  const others = [
    ...[`${AGENTS_FOLDER}/neo/notes.md`, `${AGENTS_FOLDER}/.hidden/charter.md`],
    ...[`${ALUMNI_FOLDER}/trinity/charter.x.md`, `${ALUMNI_FOLDER}/trinity/history.md`, `${CLAUDE_AGENTS}/mine.txt`],
    `${OLDER_AGENTS}/neo/notes.md`,
  ];
  const all = [...FIXED_FILES, ...agents, ...alumni, ...clients, ...older];
  write(project, Object.fromEntries([...all, ...others].map((name) => [name, `\ufeff${name}`])));
  const signs = USAGE_FOLDERS.filter((folder) => !all.some((name) => name.startsWith(folder)));
  for (const folder of signs) mkdirSync(path.join(project, folder), { recursive: true });
  const read = async () => await readTexts(project, new SeenFiles(systemClock));
  const now = [...FIXED_FILES, ...agents, ...alumni, ...clients, ...USAGE_FOLDERS];
  expect([...(await read()).keys()].sort()).toEqual([...new Set(now)].sort());
  expect((await read()).get(agents[0] ?? '')).toBe(agents[0]);
  const partly = FIXED_FILES.find((name) => !name.startsWith('.squad/')) ?? '';
  expect((await read()).get(partly), 'of a file that is partly ours every byte stays').toBe(`\ufeff${partly}`);
  rmSync(path.join(project, TEAM_MD));
  const before = [...new Set([...now, ...older])].filter((name) => name !== TEAM_MD);
  expect([...(await read()).keys()].sort()).toEqual(before.sort());
  expect(openBelow(project)).toEqual([]);
});

test('a file of the team is read up to its bound, and a write shows in what is known of each', async () => {
  const project = room('squad');
  write(project, { [TEAM_MD]: 'x'.repeat(TEAM_LIMITS.squadFileBytes) });
  expect((await readSmall(project, TEAM_MD))?.length).toBe(TEAM_LIMITS.squadFileBytes);
  write(project, { [HISTORY_EVENTS]: 'x'.repeat(TEAM_LIMITS.squadFileBytes + 1) });
  await expect(readSmall(project, HISTORY_EVENTS)).rejects.toMatchObject({ code: 'too_large' });
  expect(await readSmall(project, REGISTRY_EVENTS)).toBeUndefined();
  const marks = [await fingerprint(project)];
  for (const file of [REGISTRY_EVENTS, HISTORY_EVENTS, TEAM_MD]) {
    write(project, { [file]: `${marks.length}` });
    marks.push(await fingerprint(project));
  }
  expect(new Set(marks).size).toBe(marks.length);
  expect(marks[0]?.split(' ')[0]).toBe('-');
});

test('a charter is found by the name of its member, whatever the case of the folder', async () => {
  const project = room('squad');
  const charters = ['Neo', 'trinity', 'Trinity', 'Two Words'].map((name) => `${AGENTS_FOLDER}/${name}/charter.md`);
  write(project, Object.fromEntries(charters.map((name) => [name, name])));
  const squad = new SquadFolder(project, new ProcessTable(), ALONE);
  expect([...(await readTexts(project, new SeenFiles(systemClock))).keys()].sort()).toEqual(charters.slice(0, 2));
  expect(await Promise.all(['Neo', 'neo', 'Trinity', 'morpheus', '!'].map((name) => squad.charter(name)))).toEqual([
    ...[charters[0], charters[0], charters[1], undefined, undefined],
  ]);
});

test('a sign below a link is none', async () => {
  const linked = room('squad');
  for (const folder of USAGE_FOLDERS) {
    const top = folder.split('/')[0] ?? '';
    if (top === folder.slice(0, -1)) continue;
    mkdirSync(path.join(linked, 'elsewhere', folder.slice(top.length)), { recursive: true });
    if (!existsSync(path.join(linked, top))) symlinkSync('elsewhere', path.join(linked, top));
  }
  expect([...(await readTexts(linked, new SeenFiles(systemClock))).keys()]).toEqual([]);
});

test('a change of one file is written as everybody may read it; without one nothing is touched', async () => {
  const project = room('squad');
  const steps: unknown[] = [];
  const parts = { ...ALONE, step: (step: unknown) => void steps.push(step) };
  const squad = new SquadFolder(project, new ProcessTable(), parts);
  const ledger = new LedgerFolder(project, new ProcessTable(), parts);
  const changed = (text: string) => [{ kind: 'write', path: DECISIONS_MD, text } as const];
  const none = { changes: [], result: 'none' };
  expect([
    await squad.apply(() => none),
    await squad.repairTexts(() => none),
    await ledger.change(async () => none),
  ]).toEqual([...['none', 'none', 'none']]);
  expect(steps).toEqual([]);
  expect(await squad.repairTexts(() => ({ changes: changed('one\n'), result: 1 }))).toBe(1);
  expect(await readSmall(project, DECISIONS_MD)).toBe('one\n');
  expect(statSync(path.join(project, DECISIONS_MD)).mode & 0o777).toBe(0o666 & ~process.umask());
  expect(await ledger.change(async () => ({ changes: changed('two\n'), result: 2 }))).toBe(2);
  expect(await readSmall(project, DECISIONS_MD)).toBe('two\n');
});

test('a proposal of the moment in which another was asked for is replaced, and what is amended is kept', async () => {
  const squad = new SquadFolder(room('squad'), new ProcessTable(), ALONE);
  await squad.saveProposal(propose(['writer'], { now: 3_000, proposalId: 'first' }), 0);
  await squad.saveProposal(propose(['writer'], { now: 4_000, proposalId: 'second' }), 3_000);
  expect((await squad.proposal())?.proposal_id).toBe('second');
  const third = propose(['writer'], { now: 5_000, proposalId: 'third' });
  expect(await squad.amendProposal((_, before) => (before?.proposal_id === 'second' ? third : (before ?? third)))).toBe(
    third,
  );
  expect(await squad.proposal()).toEqual(third);
});

test('a team that nobody writes is read without a lock', async () => {
  const project = room('squad');
  write(project, { [TEAM_MD]: 'team' });
  expect((await new SquadFolder(project, new ProcessTable(), ALONE).texts()).get(TEAM_MD)).toBe('team');
  expect(existsSync(path.join(project, '.workgraph'))).toBe(false);
});

test('more agent files than are read are an error, and a folder that appears is a change', async () => {
  const clock = { now: () => Date.now() + 3_600_000 };
  const project = room('squad');
  const seen = new SeenFiles(clock);
  expect([...(await readTexts(project, seen)).keys()]).toEqual([]);
  expect(seen.isUnchanged()).toBe(true);
  const [sign = ''] = USAGE_FOLDERS;
  mkdirSync(path.join(project, sign), { recursive: true });
  expect(seen.isUnchanged()).toBe(false);
  const file = (number: number) => `${CLAUDE_AGENTS}/squad-a${number}.md`;
  write(project, Object.fromEntries(Array.from({ length: TEAM_LIMITS.agentFiles + 1 }, (_, at) => [file(at), ''])));
  const read = () => readTexts(project, new SeenFiles(clock));
  await expect(read()).rejects.toMatchObject({ code: 'too_large' });
  rmSync(path.join(project, file(0)));
  expect((await read()).size).toBe(TEAM_LIMITS.agentFiles + 1);
});
