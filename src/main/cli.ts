#!/usr/bin/env node
import { startFromCompiledCode } from './compiled-code.js';

startFromCompiledCode(); // before any other code is loaded
import('#main/command-line.js').then(({ main }) => main());
