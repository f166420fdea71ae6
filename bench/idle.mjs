// Measures an idle service: its share of a core and its memory. `--long` measures for ten minutes.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { inProject, startService, troupe, used } from './measure.mjs';

const SECONDS = process.argv.includes('--long') ? 600 : 20;
const SETTLE_MS = 3_000;
const BAR_SHARE = 0.5;
const BAR_MB = 120;

const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export default async () => {
  if (process.platform !== 'linux') return [];
  const { share, mb, wrote } = await inProject(async (folder) => {
    for (let number = 0; number < 20; number++) troupe(folder, 'add', `Task ${number}`, '--paused', '--exec', 'true');
    const service = await startService(folder);
    const log = path.join(folder, '.workgraph', 'operations.jsonl');
    await wait(SETTLE_MS);
    const [before, text] = [used(service.pid), readFileSync(log, 'utf8')];
    await wait(SECONDS * 1_000);
    const after = used(service.pid);
    const changed = readFileSync(log, 'utf8') !== text;
    await service.stop();
    return { share: ((after.seconds - before.seconds) / SECONDS) * 100, mb: after.mb, wrote: changed };
  });
  return [
    {
      name: `idle service, ${SECONDS} s`,
      figure: `${share.toFixed(2)} % of a core, ${mb.toFixed(0)} MB`,
      bar: `${BAR_SHARE} %, ${BAR_MB} MB, nothing written`,
      met: share <= BAR_SHARE && mb <= BAR_MB && !wrote,
    },
  ];
};
