import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readPrices } from '#adapters/settings/price-file.js';
import { room } from '../../room.js';

test('prices are read from the file, and refused where they cannot be', async () => {
  const shipped = await readPrices(path.resolve(import.meta.dirname, '../../../data/prices.json'));
  expect(shipped.models.size).toBeGreaterThan(1);
  const folder = room('prices');
  await expect(readPrices(path.join(folder, 'gone.json'))).rejects.toMatchObject({
    ...{ code: 'unreadable', message: 'data/prices.json cannot be read.' },
  });
  writeFileSync(path.join(folder, 'odd.json'), '{}');
  await expect(readPrices(path.join(folder, 'odd.json'))).rejects.toMatchObject({ code: 'catalog_invalid' });
});
