#!/usr/bin/env node
import { startFromCompiledCode } from './compiled-code.js';

startFromCompiledCode(); // before any other code is loaded
// Once nothing is left to do, Node would take the heap apart: 4 % of the time of a command, for a process that ends.
process.once('beforeExit', () => process.exit());
const [first, second, ...others] = process.argv.slice(2);
const isHook = first === 'hook' && second === 'check-handoffs' && others.length === 0;
(isHook ? import('#main/handoff-hook.js') : import('#main/command-line.js')).then(({ main }) => main());
