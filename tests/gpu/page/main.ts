import { compareFile, fetchesWithSmallCache, filtered, loadFailures, sharedLoad } from './load-suite.ts';
import {
  awayFromStage,
  contextLossWithSamples,
  lensOver,
  partsOfMount,
  sharedTextures,
  tiledBothWays,
  unknownLut,
  withoutNumbers,
} from './painting-suite.ts';
import {
  pictureAndStage,
  pictureOfCase,
  pictureOfMount,
  pictureOnSmallGpu,
  pictureWithMarks,
  pictureWithPlanes,
  pictureWithState,
  pictureWithStrip,
} from './picture-suite.ts';
import { compareRenditions, levelsLoadedByMount, openPatients } from './rendition-suite.ts';
import { runBothWays, runCase } from './shader-case.ts';
import { shaderCases } from './shader-suite.ts';
import {
  contextLoss,
  cycles,
  disposedEarly,
  idleFrames,
  manyPictures,
  monitor,
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
  sideBySide,
  awayFromStage,
  contextLossWithSamples,
  lensOver,
  partsOfMount,
  sharedTextures,
  tiledBothWays,
  unknownLut,
  withoutNumbers,
  tiled,
  manyPictures,
  monitor,
  withoutGpu,
  filtered,
  compareFile,
  loadFailures,
  sharedLoad,
  fetchesWithSmallCache,
  compareRenditions,
  levelsLoadedByMount,
  openPatients,
  pictureAndStage,
  pictureOfCase,
  pictureOfMount,
  pictureOnSmallGpu,
  pictureWithMarks,
  pictureWithPlanes,
  pictureWithState,
  pictureWithStrip,
};

export type Suites = typeof suites;

declare global {
  interface Window {
    suites: Suites;
  }
}

window.suites = suites;
