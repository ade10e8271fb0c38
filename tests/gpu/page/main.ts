import { bounded, compareFile, failures, filtered, sharing } from './load-suite.ts';
import { runBothWays, runCase } from './shader-case.ts';
import { shaderCases } from './shader-suite.ts';
import {
  contextLoss,
  cycles,
  disposedEarly,
  idleFrames,
  manyPictures,
  openForHands,
  sideBySide,
  tiled,
  withoutGpu,
} from './stage-suite.ts';

const cases = shaderCases();

const suites = {
  caseNames: () => Object.keys(cases),
  runCase: (name: string) => {
    const found = cases[name];
    if (!found) throw new Error(`no case ${name}`);
    return runCase(found);
  },
  runBothWays: (name: string) => {
    const found = cases[name];
    if (!found) throw new Error(`no case ${name}`);
    return runBothWays(found);
  },
  contextLoss,
  cycles,
  disposedEarly,
  idleFrames,
  openForHands,
  sideBySide,
  tiled,
  manyPictures,
  withoutGpu,
  filtered,
  compareFile,
  failures,
  sharing,
  bounded,
};

export type Suites = typeof suites;

declare global {
  interface Window {
    suites: Suites;
    hands: Awaited<ReturnType<Suites['openForHands']>>;
  }
}

window.suites = suites;
