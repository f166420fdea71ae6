import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { WorkerAgreementFile } from '#adapters/trust/worker-agreement-file.js';
import { systemClock } from '#kernel/clock.js';
import { room } from '../../room.js';
import { sealFor } from '../../seal.js';
import { verifies } from '../../verifies.js';

verifies('fleet.trust', 'whose orders are carried out is said for each folder and database, by key', async () => {
  const [settings, above] = [room('settings'), room('clones')];
  const agreement = (name: string) => {
    const projectFolder = path.join(above, name);
    mkdirSync(projectFolder, { recursive: true });
    return new WorkerAgreementFile({
      folder: settings,
      projectFolder,
      processes: new ProcessTable(),
      clock: systemClock,
    });
  };
  const [ann, ben] = [sealFor('shop', 'ann').card, sealFor('shop', 'ben').card];
  const [one, other] = [agreement('one'), agreement('other')];
  expect(one.leaders('shop in db')).toBeUndefined();
  await one.give('shop in db', []);
  expect(one.leaders('shop in db')).toEqual([]);
  await one.give('shop in db', [ann]);
  await one.give('shop in db', [ben, { ...ann, name: 'anna' }]);
  expect(one.leaders('shop in db')).toEqual([ben, { ...ann, name: 'anna' }]);
  expect([one.leaders('shop in other'), other.leaders('shop in db')], 'two clones ask twice').toEqual([
    undefined,
    undefined,
  ]);
  expect([await one.withdraw('shop in db', ann.key), await one.withdraw('shop in db', ann.key)]).toEqual([true, false]);
  expect(one.leaders('shop in db')).toEqual([ben]);
  renameSync(path.join(above, 'one'), path.join(above, 'gone'));
  expect(agreement('one').leaders('shop in db'), 'another folder in its place').toBeUndefined();
  renameSync(path.join(above, 'one'), path.join(above, 'new'));
  renameSync(path.join(above, 'gone'), path.join(above, 'one'));
  expect(agreement('one').leaders('shop in db')).toEqual([ben]);
  const file = path.join(settings, 'workers.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace(`"${ben.key}"`, '7'));
  expect(agreement('one').leaders('shop in db'), 'what is not understood is nobody').toEqual([]);
  const odd = JSON.parse(readFileSync(file, 'utf8'));
  for (const row of Object.values<{ leaders: unknown }>(odd.projects ?? odd)) row.leaders = 'everyone';
  writeFileSync(file, JSON.stringify(odd));
  expect(agreement('one').leaders('shop in db'), 'no list').toEqual([]);
});
