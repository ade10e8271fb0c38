import { acquiredOf } from '../../../../contract/images.ts';
import { type PrintedPicture, type PrintRequest, type Processing, spacingSources } from '../../../../contract/print.ts';
import type { LayoutRequest } from '../../../../contract/print-layout.ts';
import {
  type Images,
  type LoadedImage,
  measurementScaleOf,
  rotatedSize,
  type Scene,
  type SceneImage,
  type StageTexts,
  wholeStage,
} from '../../../viewer/index.ts';
import type { ShownContent, ShownImage } from '../../app/shown-content.ts';
import type { ShownPatient } from '../shown-patient.ts';
import { shownImagesOf } from '../viewer/scene-of-content.ts';

/** What the viewer shows when it is printed or saved. */
export interface ShownPictures {
  readonly content: ShownContent;
  readonly scene: Scene;
  readonly activeUid: string | null;
  /** Width by height of the stage. */
  readonly stageAspect: number;
  readonly images: Images;
  readonly patient: ShownPatient;
  readonly words: StageTexts;
}

/** The active image, or all images of the mount, of both mounts or of the comparison. */
export type SubjectKind = ShownContent['kind'];

/** One image of a print, as shown and as the scene draws it. */
export interface SubjectImage {
  readonly shown: ShownImage;
  readonly drawn: SceneImage;
}

export interface Subject {
  readonly kind: SubjectKind;
  readonly images: readonly SubjectImage[];
}

/** Returns what can be printed, the default first: all that is shown, and the active image of several. */
export const subjectsOf = ({ content, scene, activeUid }: ShownPictures): readonly Subject[] => {
  const images = shownImagesOf(content).flatMap((shown) => {
    const drawn = scene.images.find(({ id }) => id === shown.image.uid);
    return drawn ? [{ shown, drawn }] : [];
  });
  const active = images.filter(({ drawn }) => drawn.id === activeUid);
  const whole = { kind: content.kind, images };
  return content.kind === 'image' || active.length === 0 ? [whole] : [whole, { kind: 'image', images: active }];
};

/** Returns the scene of one image alone. */
export const sceneAlone = (scene: Scene, image: SceneImage): Scene => ({
  ...scene,
  mount: null,
  images: [{ ...image, placement: wholeStage }],
});

/** Returns the scene of a subject as one picture. */
export const sceneOfSubject = (scene: Scene, { kind, images }: Subject): Scene => {
  const [only] = images;
  return kind === 'image' && only ? sceneAlone(scene, only.drawn) : scene;
};

/** Returns the days of exposure, `YYYY-MM-DD`, each once, oldest first. */
export const daysOf = ({ images }: Subject): readonly string[] =>
  [...new Set(images.flatMap(({ shown }) => acquiredOf(shown.image)?.slice(0, 10) ?? []))].toSorted();

const processingOf = ({ display, state }: SceneImage, isMounted: boolean): Processing[] => {
  const active: readonly (readonly [Processing, boolean])[] = [
    ['noise', display.noise.kind !== 'none' && display.noise.strength > 0],
    ['sharpened', display.sharpness > 0],
    ['smoothed', display.sharpness < 0],
    ['equalised', display.equalisation > 0],
    ['inverted', display.inverted],
    ['gamma', display.gamma !== 1],
    ['palette', display.palette !== 'grey'],
    ['mirrored', display.horizontalFlip && !isMounted],
    ['state', Boolean(state)],
  ];
  return active.flatMap(([name, isActive]) => (isActive ? [name] : []));
};

/** Returns the declaration of an image for a print. `loaded`: of any level. */
export const printedPictureOf = (
  { shown, drawn }: SubjectImage,
  loaded: LoadedImage,
  isMounted: boolean,
): PrintedPicture => {
  const { display } = drawn;
  const size = rotatedSize(loaded, { ...display, pixelAspect: loaded.pixelAspect });
  const { across, unit, spacingSource } = measurementScaleOf(loaded, drawn.calibration);
  const source = spacingSources.find((known) => known === spacingSource);
  return {
    imageUID: drawn.id,
    viewsetId: shown.item ? shown.viewsetId : null,
    frame: drawn.frame,
    ...size,
    // The scale of a region is not that of the image.
    spacing: source && unit === 'mm' ? { mmPerPixel: across, source } : null,
    processing: processingOf(drawn, isMounted),
    turned: display.horizontalFlip || display.rotation % 360 !== 0,
  };
};

/** Returns the layout request of a print. */
export const layoutRequestOf = (
  { content }: ShownPictures,
  { kind, images }: Subject,
  pictures: readonly PrintedPicture[],
  choice: Pick<PrintRequest, 'paper' | 'scale'>,
): LayoutRequest => {
  const mount = kind === 'mount' && content.kind === 'mount' ? content.viewset : null;
  return {
    ...choice,
    mount: mount && { width: mount.width, height: mount.height },
    pictures: pictures.map((picture, index) => {
      const item = mount ? images[index]?.shown.item : null;
      return {
        ...picture,
        slot: item ? { x: item.xPos, y: item.yPos, width: item.width, height: item.height } : null,
      };
    }),
  };
};
