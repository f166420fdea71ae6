// npm run test:clients [-- CLIENT… --case TEXT --record FOLDER]: real agent clients, offline, against a scripted model.
// The open-source ones are installed at pinned versions into the person's cache folder. Not part of npm test.
import { fromSource } from './from-source.mjs';

const { suite } = await fromSource({ suite: 'test/clients/suite.ts' });
process.exitCode = (await suite.runSuite(process.argv.slice(2))) === 0 ? 0 : 1;
