import type { Point, Rectangle, Size } from './camera.ts';
import type { Mount, MountViewport, Placement } from './scene.ts';

/** Position of a mount on the stage: device pixels from the corner of the stage, and device pixels per mount unit. */
export interface MountTransform {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

/** Largest zoom factor of a mount; 1 shows all of it. */
export const maxZoom = 64;

const wholeScale = (mount: Mount, stage: Size): number => {
  const scale = Math.min(stage.width / mount.width, stage.height / mount.height);
  return scale > 0 && Number.isFinite(scale) ? scale : 1;
};

/** Clamps a centre coordinate so that no space beside the mount is shown while the mount is larger than the stage. */
const clampCentre = (centre: number, mountLength: number, visible: number): number =>
  visible >= mountLength ? mountLength / 2 : Math.min(mountLength - visible / 2, Math.max(visible / 2, centre));

/** Returns the viewport with `centre` (mount units) in the middle of the stage, clamped to the edges of the mount; 'fit' at zoom 1 and below. */
export const viewportCentredAt = (mount: Mount, stage: Size, centre: Point, zoom: number): MountViewport => {
  if (!(zoom > 1 + 1e-9)) return 'fit';
  const bounded = Math.min(maxZoom, zoom);
  const scale = wholeScale(mount, stage) * bounded;
  return {
    centreX: clampCentre(centre.x, mount.width, stage.width / scale),
    centreY: clampCentre(centre.y, mount.height, stage.height / scale),
    zoom: bounded,
  };
};

/** Returns the transform of the mount on a stage of `stage` device pixels; its corner is on a whole pixel. */
export const mountTransform = (mount: Mount, stage: Size): MountTransform => {
  const whole = wholeScale(mount, stage);
  const view = mount.view === 'fit' ? null : mount.view;
  const scale = whole * (view?.zoom ?? 1);
  const viewport = view ? viewportCentredAt(mount, stage, { x: view.centreX, y: view.centreY }, view.zoom) : 'fit';
  const centre =
    viewport === 'fit' ? { x: mount.width / 2, y: mount.height / 2 } : { x: viewport.centreX, y: viewport.centreY };
  return {
    left: Math.round(stage.width / 2 - centre.x * scale),
    top: Math.round(stage.height / 2 - centre.y * scale),
    scale: viewport === 'fit' ? whole : whole * viewport.zoom,
  };
};

/** Converts a placement in mount units to a rectangle of the stage, on whole device pixels. */
export const rectangleOnMount = (placement: Placement, { left, top, scale }: MountTransform): Rectangle => {
  const x = Math.round(left + placement.x * scale);
  const y = Math.round(top + placement.y * scale);
  return {
    x,
    y,
    width: Math.round(left + (placement.x + placement.width) * scale) - x,
    height: Math.round(top + (placement.y + placement.height) * scale) - y,
  };
};

/** Returns the mount point (mount units) under a point of the stage (device pixels). */
export const mountPointAt = ({ x, y }: Point, { left, top, scale }: MountTransform): Point => ({
  x: (x - left) / scale,
  y: (y - top) / scale,
});

const middleOf = (mount: Mount): Point =>
  mount.view === 'fit' ? { x: mount.width / 2, y: mount.height / 2 } : { x: mount.view.centreX, y: mount.view.centreY };

const zoomOf = ({ view }: Mount): number => (view === 'fit' ? 1 : view.zoom);

/** Zooms by `factor`; the mount point under `point` (device pixels) stays under it as far as the edges allow. */
export const mountZoomedAbout = (mount: Mount, stage: Size, factor: number, point: Point): MountViewport => {
  const zoom = Math.min(maxZoom, zoomOf(mount) * factor);
  const under = mountPointAt(point, mountTransform(mount, stage));
  const scale = wholeScale(mount, stage) * Math.max(1, zoom);
  const centre = {
    x: under.x - (point.x - stage.width / 2) / scale,
    y: under.y - (point.y - stage.height / 2) / scale,
  };
  return viewportCentredAt(mount, stage, centre, zoom);
};

/** Pans the mount by `step` device pixels, in the direction of the pointer. */
export const mountPanned = (mount: Mount, stage: Size, step: Point): MountViewport => {
  const { scale } = mountTransform(mount, stage);
  const middle = middleOf(mount);
  return viewportCentredAt(mount, stage, { x: middle.x - step.x / scale, y: middle.y - step.y / scale }, zoomOf(mount));
};

export const sameViewport = (one: MountViewport, other: MountViewport): boolean =>
  one === other ||
  (one !== 'fit' &&
    other !== 'fit' &&
    one.centreX === other.centreX &&
    one.centreY === other.centreY &&
    one.zoom === other.zoom);
