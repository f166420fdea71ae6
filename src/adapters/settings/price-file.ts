import { readFile } from 'node:fs/promises';
import { type PriceTable, priceTable } from '#core/runs/prices.js';
import { TroupeError } from '#kernel/errors.js';

/**
 * Reads the shipped prices. `file` is the absolute path of `data/prices.json`. Errors: `catalog_invalid`, `unreadable`.
 */
export async function readPrices(file: string): Promise<PriceTable> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new TroupeError('unreadable', { what: 'data/prices.json cannot be read.', cause });
  }
  return priceTable(JSON.parse(text));
}
