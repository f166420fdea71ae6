import { db, statement } from './building.js';

export const REQUEST = statement(({ id }: { id: string }) =>
  db.selectFrom('requests').select(['input', 'result_json']).where('id', '=', id),
);

export const ADD_REQUEST = statement((row: { id: string; input: string; result: string | null; at: number }) =>
  db.insertInto('requests').values({ id: row.id, input: row.input, result_json: row.result, at: row.at }),
);

export const FORGET_REQUESTS = statement(({ before }: { before: number }) =>
  db.deleteFrom('requests').where('at', '<', before),
);
