import { WorkersInMemory } from '../workers-in-memory.js';
import { workerGatewayContract } from './worker-gateway.js';

workerGatewayContract('memory', async () => {
  let now = 1_000_000;
  const workers = new WorkersInMemory({ now: () => now });
  return {
    board: async () => workers.board(),
    desk: async (key) => workers.desk(key),
    silence: async (worker, ms) => {
      const found = workers.workers.get(worker);
      if (found) found.seenAt -= ms;
      workers.tellLeader();
    },
    age: async (ms) => {
      now += ms;
      workers.tellLeader();
    },
    refused: async () => workers.refused.map(({ fact }) => fact.id),
    kept: async (run, of) => workers.pieces.get(`${run} ${of}`) ?? Buffer.alloc(0),
    standing: async () => workers.standing(),
  };
});
