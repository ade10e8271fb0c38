import { describe, expect, it } from 'vitest';
import { mountBeside } from '../../../src/views/workspace/patient/mount-beside.ts';
import { study } from '../edit/edit-fixture.tsx';

const listed = (viewSetUuid: string) => ({
  viewSetUuid,
  name: viewSetUuid,
  templateUUID: null,
  filledSlots: 1,
  slots: 4,
  mounted: [],
});
const single = study({ uid: 'single', viewsets: [] });
const newest = study({ uid: 'newest', viewsets: [listed('a'), listed('b')] });
const oldest = study({ uid: 'oldest', viewsets: [listed('c')] });
const studies = [single, newest, study({ uid: 'empty', viewsets: [] }), oldest];

describe('the mount beside', () => {
  it.each([
    ['the next of the same study', newest, 'a', 1, 'b'],
    ['the first of an older study, over a study without mounts', newest, 'b', 1, 'c'],
    ['the last of a newer study', oldest, 'c', -1, 'b'],
    ['from an image without a mount, the first below', single, null, 1, 'a'],
    ['from an image of a study, its own first mount', newest, null, 1, 'a'],
    ['none after the last', oldest, 'c', 1, undefined],
    ['none before the first', newest, 'a', -1, undefined],
    ['none for a study that is not loaded', study({ uid: 'other' }), null, -1, undefined],
  ] as const)('%s', (_, from, viewsetId, by, expected) => {
    expect(mountBeside(studies, from, viewsetId, by)?.viewsetId).toBe(expected);
  });
});
