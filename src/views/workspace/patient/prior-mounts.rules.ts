import type { Study } from '../../../../contract/studies.ts';
import type { MountMatch, PriorPair } from '../../app/shown-content.ts';
import { type DatedImage, datedImagesOf, matchOf } from './priors.rules.ts';

interface MountedEntry {
  readonly itemIndex: number;
  readonly image: DatedImage;
}

/** A mount with the images in its slots. */
interface DatedMount {
  readonly viewsetId: string;
  /** Null when the layout was made by the user, not from a template. */
  readonly templateId: string | null;
  /** Latest day of its images, `YYYY-MM-DD`; null when none is known. */
  readonly day: string | null;
  readonly entries: readonly MountedEntry[];
}

export interface PriorMount {
  readonly viewsetId: string;
  readonly day: string;
  readonly match: MountMatch;
  readonly pairs: readonly PriorPair[];
}

/** Earlier mounts of a mount. */
export interface PriorMounts {
  /** Day of the current mount; null when not known. */
  readonly day: string | null;
  /** The latest first. */
  readonly priors: readonly PriorMount[];
  /** Shown first: the latest of the same template, else the one with most pairs; null without any. */
  readonly best: PriorMount | null;
}

const datedMountsOf = (studies: readonly Study[]): readonly DatedMount[] => {
  const images = new Map(datedImagesOf(studies).map((image) => [image.image.uid, image]));
  return studies
    .flatMap(({ viewsets }) => viewsets)
    .map(({ viewSetUuid, templateUUID, mounted }): DatedMount => {
      const entries = mounted.flatMap(({ imageUid, itemIndex }) => {
        const image = images.get(imageUid);
        return image ? [{ itemIndex, image }] : [];
      });
      const days = entries.flatMap(({ image }) => image.day ?? []).sort();
      return { viewsetId: viewSetUuid, templateId: templateUUID, day: days.at(-1) ?? null, entries };
    });
};

const isSameTemplate = (one: DatedMount, other: DatedMount): boolean =>
  one.templateId !== null && one.templateId === other.templateId;

interface Candidate {
  readonly priorUid: string;
  readonly currentUid: string;
  readonly sharedTeeth: number;
  /** Teeth that only one of them shows. */
  readonly otherTeeth: number;
  readonly isSameSlot: boolean;
}

/** Returns pairs of images that show the same: of the same slot first, then by shared teeth. No image is in two pairs. */
const pairsOf = (current: DatedMount, prior: DatedMount): readonly PriorPair[] => {
  const candidates = current.entries.flatMap((one) =>
    prior.entries.flatMap((other): readonly Candidate[] => {
      const match = matchOf(one.image, other.image);
      if (!match || (other.image.day ?? '9') > (one.image.day ?? '')) return [];
      const sharedTeeth = match.by === 'region' ? 0 : match.teeth.length;
      return [
        {
          priorUid: other.image.image.uid,
          currentUid: one.image.image.uid,
          sharedTeeth,
          otherTeeth: one.image.teeth.length + other.image.teeth.length - 2 * sharedTeeth,
          isSameSlot: isSameTemplate(current, prior) && one.itemIndex === other.itemIndex,
        },
      ];
    }),
  );
  const ranked = candidates.toSorted(
    (one, other) =>
      Number(other.isSameSlot) - Number(one.isSameSlot) ||
      other.sharedTeeth - one.sharedTeeth ||
      one.otherTeeth - other.otherTeeth,
  );
  const used = new Set<string>();
  return ranked.flatMap(({ priorUid, currentUid }) => {
    if (used.has(priorUid) || used.has(currentUid)) return [];
    used.add(priorUid).add(currentUid);
    return [{ priorUid, currentUid }];
  });
};

/** Returns the mounts of an earlier day with images that show the same. Null when the mount is not in the list. */
export const priorMountsOf = (viewsetId: string, studies: readonly Study[]): PriorMounts | null => {
  const mounts = datedMountsOf(studies);
  const current = mounts.find((mount) => mount.viewsetId === viewsetId);
  if (!current) return null;
  const { day } = current;
  const priors = mounts
    .flatMap((mount): readonly PriorMount[] => {
      if (day === null || mount.day === null || mount.day >= day) return [];
      const pairs = pairsOf(current, mount);
      const match = isSameTemplate(current, mount) ? 'template' : 'teeth';
      return pairs.length === 0 ? [] : [{ viewsetId: mount.viewsetId, day: mount.day, match, pairs }];
    })
    .toSorted((one, other) =>
      one.day === other.day ? other.pairs.length - one.pairs.length : one.day < other.day ? 1 : -1,
    );
  const withMostPairs = priors.toSorted((one, other) => other.pairs.length - one.pairs.length)[0] ?? null;
  return { day, priors, best: priors.find(({ match }) => match === 'template') ?? withMostPairs };
};
