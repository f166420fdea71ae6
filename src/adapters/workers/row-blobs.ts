import { TroupeError } from '#kernel/errors.js';
import type { Blobs } from '#ports/blobs.js';

const ELSEWHERE = () =>
  new TroupeError('blobs_not_chosen', {
    what: 'What this run printed lies in an object store, and none is chosen here.',
    hint: 'Name it with `troupe config set database.blobs s3://BUCKET`.',
  });

/** Blobs stored in database rows, the default. */
export const ROW_BLOBS: Blobs = {
  put: async (_, bytes) => ({ bytes }),
  get: async () => {
    throw ELSEWHERE();
  },
  removeFolder: async () => {
    throw ELSEWHERE();
  },
};
