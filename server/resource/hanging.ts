/**
 * What hangs where in one viewset: slots by their index, each with the image that is shown there, and the tray, in its order. Images in
 * the recycle bin are not in here: their slots count as empty.
 */
export interface Hanging {
  readonly slots: ReadonlyMap<number, string | null>;
  readonly tray: readonly string[];
}

const withSlots = (hanging: Hanging, changes: readonly (readonly [number, string | null])[]): Hanging => ({
  ...hanging,
  slots: new Map([...hanging.slots, ...changes]),
});

const slotOf = (hanging: Hanging, image: string): number | null =>
  [...hanging.slots].find(([, hung]) => hung === image)?.[0] ?? null;

const toTray = (hanging: Hanging, image: string | null): Hanging =>
  image === null ? hanging : { ...hanging, tray: [...hanging.tray.filter((one) => one !== image), image] };

const fromTray = (hanging: Hanging, image: string): Hanging => ({
  ...hanging,
  tray: hanging.tray.filter((one) => one !== image),
});

/** Whether the slot holds this very image: what a person saw before they took it. */
export const holds = (hanging: Hanging, index: number, image: string): boolean => hanging.slots.get(index) === image;

/**
 * Hangs an image in a slot that exists. One that hangs here already changes places with what is there; one that comes from
 * outside sends it to the end of the tray.
 */
export const mounted = (hanging: Hanging, index: number, image: string): Hanging => {
  const occupant = hanging.slots.get(index) ?? null;
  const from = slotOf(hanging, image);
  if (from !== null)
    return withSlots(hanging, [
      [from, occupant],
      [index, image],
    ]);
  return withSlots(toTray(fromTray(hanging, image), occupant), [[index, image]]);
};

/** Takes the image of a slot to the end of the tray. */
export const unmounted = (hanging: Hanging, index: number): Hanging =>
  withSlots(toTray(hanging, hanging.slots.get(index) ?? null), [[index, null]]);

/** Two slots of two viewsets change what hangs in them. Neither image may hang in the other viewset already. */
export const exchanged = (
  one: { readonly hanging: Hanging; readonly index: number },
  other: { readonly hanging: Hanging; readonly index: number },
): readonly [Hanging, Hanging] => {
  const given = one.hanging.slots.get(one.index) ?? null;
  const taken = other.hanging.slots.get(other.index) ?? null;
  const receive = (hanging: Hanging, index: number, image: string | null) =>
    withSlots(image === null ? hanging : fromTray(hanging, image), [[index, image]]);
  return [receive(one.hanging, one.index, taken), receive(other.hanging, other.index, given)];
};

/** Whether the image hangs in any slot. */
export const hangs = (hanging: Hanging, image: string): boolean => slotOf(hanging, image) !== null;
