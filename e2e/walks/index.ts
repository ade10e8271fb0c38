import type { JourneyName } from '../../tests/models/index.ts';
import { importingWalker } from './importing.ts';
import { mountingWalker } from './mounting.ts';
import { recycleBinWalker } from './recycle-bin.ts';
import { visiting } from './visit.ts';
import type { WalkerOn } from './walker.ts';

/** Who walks each journey. */
export const walkers: { readonly [Name in JourneyName]: WalkerOn<Name> } = {
  visit: visiting,
  mounting: mountingWalker,
  importing: importingWalker,
  'recycle-bin': recycleBinWalker,
};
