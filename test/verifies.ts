import { test } from 'vitest';

/**
 * A test that proves a requirement of the specification. The ids are listed in `test/requirements.ts`;
 * `test/house/coverage.test.ts` reads these calls from the source, so the ids must be literal strings.
 */
export function verifies(ids: string | readonly string[], title: string, body: () => Promise<void> | void): void {
  test(`${typeof ids === 'string' ? ids : ids.join(' ')}: ${title}`, body);
}
