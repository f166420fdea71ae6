import { expect } from 'vitest';
import { specNamed } from '#operations/named.js';
import { queryInput } from '#surfaces/http/api.js';
import { verifies } from '../verifies.js';

verifies(
  'api.open',
  'a query becomes what the document says of its fields; a value of another form is left as it is',
  () => {
    const read = (query: Readonly<Record<string, readonly string[]>>) => queryInput(specNamed('task.list'), query);
    expect(read({ paused: ['true'] })).toEqual({ paused: true });
    expect(queryInput(specNamed('trace.show'), { at: ['5'] })).toEqual({ at: 5 });
    expect(queryInput(specNamed('trace.show'), { at: [''] })).toEqual({ at: '' });
    expect(read({ paused: ['false'] })).toEqual({ paused: false });
    // Refused by the operation: the document allows true and false.
    expect(read({ paused: [''] })).toEqual({ paused: '' });
    expect(read({ unknown: ['x', 'y'] })).toEqual({ unknown: ['x', 'y'] });
  },
);
