import type { NotExpressedPart } from '../../../contract/display-objects.ts';
import { annotation, type Calibration, type Mark } from '../../../contract/displays.ts';
import type { ImageReference } from '../../../dicom/display-objects/model.ts';
import type { ImageDescription } from '../../../dicom/image-model.ts';
import { type Measured, measured, measurementScaleOf, pixelAspectOf } from '../../../dicom/measurement.ts';
import type { Quantity } from '../../../dicom/structured-report/codes.ts';
import type { Observer, ReportComment, ReportMeasurement } from '../../../dicom/structured-report/model.ts';
import { uidOfUuid } from '../../../dicom/write/uid.ts';
import { knownAuthors, type StoredMarks } from '../authored-marks.ts';

interface MarkedImage {
  readonly reference: ImageReference;
  /** Null: its attributes cannot be read. */
  readonly description: ImageDescription | null;
  readonly stored: StoredMarks & { readonly calibration: Calibration | null };
}

/** Measurements and texts of an image, and what a report cannot say of its marks. */
export interface MarksContent {
  readonly measurements: readonly ReportMeasurement[];
  readonly comments: readonly ReportComment[];
  readonly notExpressed: readonly NotExpressedPart[];
}

const quantities: Partial<Record<Mark['kind'], { readonly quantity: Quantity; readonly name: string }>> = {
  length: { quantity: 'length', name: 'Length' },
  polyline: { quantity: 'path', name: 'Path length' },
  angle: { quantity: 'angle', name: 'Angle' },
  lineAngle: { quantity: 'angle', name: 'Angle between lines' },
  area: { quantity: 'area', name: 'Area' },
  ratio: { quantity: 'ratio', name: 'Ratio' },
};

type Points = ReportMeasurement['lines'][number];

const linesOf = ({ kind, points }: Mark): readonly Points[] => {
  const [first, second, third, fourth] = points;
  if (kind === 'area' && first) return [[...points, first]];
  if (kind === 'ratio' && first && second && third)
    return [
      [first, second],
      [first, third],
    ];
  if (kind === 'lineAngle' && first && second && third && fourth)
    return [
      [first, second],
      [third, fourth],
    ];
  return [points];
};

/** Where the size of a pixel comes from. Pixels that are not square change angles and ratios too. */
const scaleOf = ({ unit, spacingSource }: Measured, calibration: Calibration | null): string | null => {
  if (spacingSource === 'outside') return 'Not within one calibrated region';
  if (unit === '°' || unit === '%') return null;
  const texts: Readonly<Record<Exclude<Measured['spacingSource'], 'outside'>, string | null>> = {
    calibrated: `Calibrated by a known length in the image: ${calibration?.mmPerPixel} mm per pixel width`,
    patient: null,
    stated: 'Pixel size as stated by the image, not known to be calibrated',
    estimated: 'Pixel size at the detector divided by an estimated magnification',
    detector: 'Pixel size at the detector',
    film: 'Pixel size on the film',
    region: 'Pixel size of the ultrasound region',
    none: 'Not calibrated',
    unknown: null,
  };
  return texts[spacingSource];
};

/** Returns what a report says of the marks of an image, by the values that the viewer shows. */
export const marksContent = ({ reference, description, stored }: MarkedImage): MarksContent => {
  const known = stored.annotations.map((one) => annotation.safeParse(one).data).filter((one) => one !== undefined);
  const marks: readonly Mark[] = [...stored.marks, ...known];
  const authors = new Map(knownAuthors(stored).map((author) => [author.markId, author]));
  const observerOf = ({ id }: Mark): Observer | null => {
    const author = authors.get(id);
    return author ? { name: author.name, at: new Date(author.at) } : null;
  };
  const placeOf = ({ frame }: Mark) => ({
    reference,
    frame: description && description.numberOfFrames > 1 ? frame : null,
  });
  const measuredOf = (mark: Mark): Measured | null => {
    if (!description || !quantities[mark.kind]) return null;
    const image = { frame: mark.frame, pixelAspect: pixelAspectOf(description), description };
    return measured(mark, measurementScaleOf(image, stored.calibration, mark.points));
  };
  const measurements = marks.flatMap((mark, index): ReportMeasurement[] => {
    const [kind, value] = [quantities[mark.kind], measuredOf(mark)];
    if (!kind || !value) return [];
    return [
      {
        ...placeOf(mark),
        trackingUid: uidOfUuid(mark.id),
        name: `${kind.name} ${index + 1}`,
        quantity: kind.quantity,
        value: value.value,
        unit: value.unit,
        lines: linesOf(mark),
        isRegion: mark.kind === 'area',
        scale: scaleOf(value, stored.calibration),
        observer: observerOf(mark),
      },
    ];
  });
  const comments = marks.flatMap((mark): ReportComment[] =>
    mark.kind === 'text'
      ? [
          {
            text: mark.text,
            observer: observerOf(mark),
            images: [reference],
            point: { ...placeOf(mark), at: mark.points[0] },
          },
        ]
      : [],
  );
  const missing: Readonly<Partial<Record<NotExpressedPart, boolean>>> = {
    values: marks.filter(({ kind }) => quantities[kind]).length > measurements.length,
    graphics: marks.some(({ kind }) => kind !== 'text' && !quantities[kind]),
    'unknown-marks': known.length < stored.annotations.length,
  };
  return {
    measurements,
    comments,
    notExpressed: (Object.keys(missing) as NotExpressedPart[]).filter((part) => missing[part]),
  };
};
