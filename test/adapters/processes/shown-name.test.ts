import { existsSync, readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { showName, shownName } from '#adapters/processes/shown-name.js';
import { verifies } from '../../verifies.js';

const COMM = '/proc/self/comm';

describe.skipIf(!existsSync(COMM))('the name of a process', () => {
  verifies('sec.caller', 'shows one text at a time, and is the earlier one in the end', async () => {
    const name = () => readFileSync(COMM, 'utf8').trimEnd();
    const before = name();
    const first = await showName('first');
    const [second, third] = [showName('second'), showName('third')];
    await new Promise(setImmediate);
    expect(name()).toBe('first');
    first();
    const endSecond = await second;
    first();
    await new Promise(setImmediate);
    expect(name(), 'what is over stays over').toBe('second');
    endSecond();
    const endThird = await third;
    endSecond();
    expect(name()).toBe('third');
    endThird();
    expect(name()).toBe(before);
    expect(shownName('an introduction')).toMatch(/^[0-9a-f]{15}$/);
  });
});
