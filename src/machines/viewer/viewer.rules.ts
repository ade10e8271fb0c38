import { type Calibration, type Display, type Mark, plainDisplay } from '../../../contract/displays.ts';
import type { Slot } from '../../../contract/viewsets.ts';
import { changed, heard, isSame, type Kept, keptOf } from './kept.rules.ts';

/** Image point in the middle, and device pixels per image pixel; 'fit' follows the size of the stage. */
export type CameraView = 'fit' | { readonly centreX: number; readonly centreY: number; readonly scale: number };

export type ViewerTool = 'window' | 'pan' | 'zoom' | 'region' | 'length' | 'angle' | 'calibrate' | 'magnifier';

/** An image on the stage, with what the archive says of it. */
export interface ImagePlace {
  readonly imageUid: string;
  /** The viewset in which it is shown; null by itself. */
  readonly viewsetId: string | null;
  /** null: nobody has changed anything, it is shown as the file asks, turned as the slot asks. */
  readonly display: Display | null;
  readonly displayVersion: number;
  /** Turn and flip that the wire tells with the slot (a viewset item is one); null outside any. Counts only while `display` is null. */
  readonly turn: Pick<Slot, 'rotation' | 'horizontalFlip'> | null;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
  readonly marksVersion: number;
  readonly frames: number;
}

/** How an image is shown to a person: what was kept, and where they look. */
export interface ImageSettings {
  readonly display: Display;
  readonly view: CameraView;
  /** From 1. */
  readonly frame: number;
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
}

/** Measurements and calibration belong to the image, whatever viewset it hangs in. */
export interface Marking {
  readonly marks: readonly Mark[];
  readonly calibration: Calibration | null;
}

/** What undo and redo walk through. */
interface Step extends Marking {
  readonly display: Display | null;
  readonly view: CameraView;
}

/** One image in one place. */
interface Entry {
  readonly imageUid: string;
  readonly viewsetId: string | null;
  /** How it looks when nobody has changed anything. */
  readonly plain: Display;
  readonly display: Kept<Display | null>;
  readonly settings: ImageSettings;
  /** The latest last. */
  readonly past: readonly Step[];
  /** The next first. */
  readonly future: readonly Step[];
}

/** Every image of the session as it was left, and which of them are on the stage. */
export interface Room {
  readonly places: readonly ImagePlace[];
  readonly entries: Readonly<Record<string, Entry>>;
  readonly markings: Readonly<Record<string, Kept<Marking>>>;
}

/** Steps beyond are forgotten, oldest first. */
export const longestHistory = 50;

export const freshSettings: ImageSettings = {
  display: plainDisplay,
  view: 'fit',
  frame: 1,
  marks: [],
  calibration: null,
};

export const emptyRoom: Room = { places: [], entries: {}, markings: {} };

const keyOf = ({ viewsetId, imageUid }: { readonly viewsetId: string | null; readonly imageUid: string }): string =>
  `${viewsetId ?? ''}/${imageUid}`;

export const placeOf = (room: Room, imageUid: string | null): ImagePlace | null =>
  room.places.find((place) => place.imageUid === imageUid) ?? null;

const entryOf = (room: Room, imageUid: string | null): Entry | null => {
  const place = placeOf(room, imageUid);
  return (place && room.entries[keyOf(place)]) ?? null;
};

/** How an image on the stage is to be shown; the same object until it changes. */
export const settingsOf = (room: Room, imageUid: string | null): ImageSettings =>
  entryOf(room, imageUid)?.settings ?? freshSettings;

export const isFresh = (room: Room, imageUid: string | null): boolean => {
  const entry = entryOf(room, imageUid);
  return !entry || (entry.display.value === null && entry.settings.view === 'fit');
};

export const hasPast = (room: Room, imageUid: string | null): boolean =>
  (entryOf(room, imageUid)?.past.length ?? 0) > 0;
export const hasFuture = (room: Room, imageUid: string | null): boolean =>
  (entryOf(room, imageUid)?.future.length ?? 0) > 0;

const resolved = (entry: Entry): Entry => {
  const display = entry.display.value ?? entry.plain;
  return isSame(display, entry.settings.display) ? entry : { ...entry, settings: { ...entry.settings, display } };
};

const withEntry = (room: Room, entry: Entry): Room => ({
  ...room,
  entries: { ...room.entries, [keyOf(entry)]: resolved(entry) },
});

const markingOf = ({ marks, calibration }: Marking): Marking => ({ marks, calibration });

/** The measurements of an image, wherever it is shown. `foreign`: they came from elsewhere, so undoing must not bring older ones back. */
const withMarking = (room: Room, imageUid: string, kept: Kept<Marking>, foreign: boolean): Room => {
  const entries = Object.entries(room.entries).map(([key, entry]): [string, Entry] => {
    if (entry.imageUid !== imageUid || isSame(markingOf(entry.settings), kept.value)) return [key, entry];
    const settings = { ...entry.settings, ...kept.value };
    return [key, foreign ? { ...entry, settings, past: [], future: [] } : { ...entry, settings }];
  });
  return { ...room, entries: Object.fromEntries(entries), markings: { ...room.markings, [imageUid]: kept } };
};

const stepOf = ({ display, settings }: Entry): Step => ({
  display: display.value,
  view: settings.view,
  ...markingOf(settings),
});

const plainOf = ({ turn }: ImagePlace): Display =>
  turn ? { ...plainDisplay, rotation: turn.rotation, horizontalFlip: turn.horizontalFlip } : plainDisplay;

const entryAfter = (place: ImagePlace, known: Entry | undefined, marking: Marking): Entry => {
  const plain = place.display === null ? plainOf(place) : (known?.plain ?? plainDisplay);
  const { imageUid, viewsetId, display: told, displayVersion } = place;
  if (!known)
    return {
      imageUid,
      viewsetId,
      plain,
      display: keptOf(told, displayVersion),
      settings: { ...freshSettings, display: told ?? plain, ...marking },
      past: [],
      future: [],
    };
  const display = heard(known.display, told, displayVersion);
  const history = isSame(display.value, known.display.value) ? null : { past: [], future: [] };
  return { ...known, plain, display, ...history };
};

/** Other images are on the stage, or the archive says something new of them. */
export const withPlaces = (room: Room, places: readonly ImagePlace[]): Room =>
  places.reduce<Room>(
    (before, place) => {
      const known = before.markings[place.imageUid];
      const told = markingOf(place);
      const kept = known ? heard(known, told, place.marksVersion) : keptOf(told, place.marksVersion);
      const entry = entryAfter(place, before.entries[keyOf(place)], kept.value);
      return withMarking(withEntry(before, entry), place.imageUid, kept, true);
    },
    { ...room, places },
  );

/** Does a step to an image, and remembers what was before it. */
const stepped = (room: Room, imageUid: string, step: Partial<Step>, history: Partial<Entry>): Room => {
  const entry = entryOf(room, imageUid);
  if (!entry) return room;
  const next = { ...stepOf(entry), ...step };
  const settings = { ...entry.settings, view: next.view };
  const withLook = withEntry(room, { ...entry, ...history, settings, display: changed(entry.display, next.display) });
  const kept = room.markings[imageUid];
  return kept ? withMarking(withLook, imageUid, changed(kept, markingOf(next)), false) : withLook;
};

/** A person changed something: a step that can be undone. */
export const withStep = (room: Room, imageUid: string, step: Partial<Step>): Room => {
  const entry = entryOf(room, imageUid);
  if (!entry) return room;
  return stepped(room, imageUid, step, { past: [...entry.past, stepOf(entry)].slice(-longestHistory), future: [] });
};

export const withUndone = (room: Room, imageUid: string): Room => {
  const entry = entryOf(room, imageUid);
  const step = entry?.past.at(-1);
  if (!entry || !step) return room;
  return stepped(room, imageUid, step, { past: entry.past.slice(0, -1), future: [stepOf(entry), ...entry.future] });
};

export const withRedone = (room: Room, imageUid: string): Room => {
  const entry = entryOf(room, imageUid);
  const [step, ...future] = entry?.future ?? [];
  if (!entry || !step) return room;
  return stepped(room, imageUid, step, { past: [...entry.past, stepOf(entry)], future });
};

export const withFrame = (room: Room, imageUid: string, frame: number): Room => {
  const entry = entryOf(room, imageUid);
  return entry ? withEntry(room, { ...entry, settings: { ...entry.settings, frame } }) : room;
};

/** The archive has a display of an image, or refused it: undoing does not bring back what was refused. */
export const withDisplayKept = (
  room: Room,
  shown: Pick<Entry, 'viewsetId' | 'imageUid'>,
  change: (kept: Kept<Display | null>) => Kept<Display | null>,
): Room => {
  const entry = room.entries[keyOf(shown)];
  if (!entry) return room;
  const display = change(entry.display);
  const history = isSame(display.value, entry.display.value) ? null : { past: [], future: [] };
  return withEntry(room, { ...entry, display, ...history });
};

export const withMarkingKept = (room: Room, imageUid: string, change: (kept: Kept<Marking>) => Kept<Marking>): Room => {
  const kept = room.markings[imageUid];
  return kept ? withMarking(room, imageUid, change(kept), true) : room;
};
