import { useTranslation } from 'react-i18next';
import { acquiredOf } from '../../../../contract/images.ts';
import { type PrintLayout, pageMm, rulerMm } from '../../../../contract/print-layout.ts';
import { imageSides, mountSides, noSides, type Sides } from '../../../../contract/print-sides.ts';
import { teethShown } from '../../../../contract/viewsets.ts';
import { useToothText } from '../../language/tooth-notation.ts';
import classes from './print.module.css';
import { daysOf, type ShownPictures, type Subject, type SubjectImage } from './print-subject.ts';

interface PrintPreviewProps {
  readonly shown: ShownPictures;
  readonly subject: Subject;
  readonly layout: PrintLayout;
  /** Object URLs of pictures by image. */
  readonly urls: ReadonlyMap<string, string>;
  readonly withPersonalNumber: boolean;
  readonly isTrueSize: boolean;
}

const teethOf = ({ shown: { item, image } }: SubjectImage) => (item ? teethShown(item) : image.teeth);

const sidesOf = (image: SubjectImage): Sides => {
  const { laterality, seriesModalityValue: modality } = image.shown.image;
  const { rotation, horizontalFlip } = image.drawn.display;
  return imageSides({ modality, teeth: teethOf(image), laterality, turned: horizontalFlip || rotation % 360 !== 0 });
};

/** The first page on paper: an SVG whose units are millimetres. */
export const PrintPreview = (props: PrintPreviewProps) => {
  const { shown, subject, layout, urls, withPersonalNumber, isTrueSize } = props;
  const { t } = useTranslation('print');
  const toothText = useToothText();
  const { widthMm, heightMm, content, pages } = layout;
  const { margin } = pageMm;
  const days = daysOf(subject);
  const { content: shownContent, patient } = shown;
  const slots =
    subject.kind === 'mount' && shownContent.kind === 'mount'
      ? shownContent.viewset.viewSetItems.map((item) => ({ x: item.xPos, width: item.width, teeth: teethShown(item) }))
      : null;
  const side = (name: 'R' | 'L' | null, x: number, y: number, anchor: 'start' | 'end') =>
    name && (
      <text x={x} y={y} fontSize="4" fontWeight="700" textAnchor={anchor}>
        {t(`side-${name}`)}
      </text>
    );
  const sides = (known: Sides, left: number, right: number, y: number) => (
    <>
      {side(known.left, left, y, 'start')}
      {side(known.right, right, y, 'end')}
    </>
  );
  const caption = (image: SubjectImage) =>
    [days.length > 1 ? acquiredOf(image.shown.image)?.slice(0, 10) : '', toothText(teethOf(image))]
      .filter(Boolean)
      .join(' · ');
  return (
    <svg className={classes.paper} viewBox={`0 0 ${widthMm} ${heightMm}`} role="img" aria-label={t('preview')}>
      <rect width={widthMm} height={heightMm} fill="#ffffff" />
      <text x={margin} y={margin + 8.5} fontSize="3.6" fontWeight="700">
        {[
          patient.name,
          withPersonalNumber && patient.personalNumber,
          patient.protectedIdentity && t('protectedIdentity'),
        ]
          .filter(Boolean)
          .join(', ')}
      </text>
      <line
        x1={margin}
        x2={widthMm - margin}
        y1={margin + 14.5}
        y2={margin + 14.5}
        stroke="#999999"
        strokeWidth="0.2"
      />
      {sides(slots ? mountSides(slots) : noSides, content.x, content.x + content.width, content.y - 1)}
      {pages[0]?.map(({ index, picture, caption: room }) => {
        const image = subject.images[index];
        const url = image && urls.get(image.drawn.id);
        if (!image) return null;
        return (
          <g key={index} data-picture={image.drawn.id}>
            <rect {...picture} fill="#000000" />
            {url && <image {...picture} href={url} preserveAspectRatio="none" />}
            <text x={room.x + room.width / 2} y={room.y + 3.2} fontSize="2.6" textAnchor="middle">
              {caption(image)}
            </text>
            {!slots && sides(sidesOf(image), picture.x, picture.x + picture.width, room.y + 4.2)}
          </g>
        );
      })}
      {isTrueSize && (
        <line
          x1={margin}
          x2={margin + rulerMm}
          y1={heightMm - margin - pageMm.footer - 4}
          y2={heightMm - margin - pageMm.footer - 4}
          stroke="#000000"
          strokeWidth="0.4"
        />
      )}
      <text x={margin} y={heightMm - margin - 3} fontSize="3" fontWeight="700">
        {t('copy')}
      </text>
      <text x={widthMm - margin} y={heightMm - margin - 3} fontSize="2.6" textAnchor="end">
        {t('page', { page: 1, pages: pages.length })}
      </text>
    </svg>
  );
};
