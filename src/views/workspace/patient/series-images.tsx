import { Menu } from '@mantine/core';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { ImageInfo } from '../../../../contract/images.ts';
import type { Series, Study } from '../../../../contract/studies.ts';
import { useDocumentText } from '../../language/document-text.ts';
import { useFileErrorText } from '../../language/file-error-text.ts';
import { useModalityName } from '../../language/modality-name.tsx';
import { Thumbnail } from '../../ui/thumbnail.tsx';
import { useDragStart } from '../../ui/use-drag-start.ts';
import { useImageTransfer } from '../image-transfer.tsx';
import { useWorkspace } from '../workspace-context.ts';
import { withCompared } from './content.ts';
import { comparedIn, type PatientLocation, patientPath } from './patient-location.ts';
import { ImageMenu, RecordMenu, useImageName } from './record-menu.tsx';
import classes from './study-list.module.css';

interface ImageOfPlace {
  readonly location: PatientLocation;
  readonly image: ImageInfo;
}

const MenuOfCell = ({ location, image }: ImageOfPlace) => {
  const { t } = useTranslation('patient');
  const { patientId } = useWorkspace();
  const [, navigate] = useLocation();
  const toggled = image.kind === 'image' ? withCompared(location, image.uid) : null;
  return (
    <ImageMenu image={image} slotTeeth={[]} onBlack>
      {toggled && (
        <Menu.Item
          leftSection={<IconColumns2 aria-hidden="true" />}
          onClick={() => navigate(patientPath(patientId, toggled))}
        >
          {comparedIn(location).includes(image.uid) ? t('compareLess') : t('compareMore')}
        </Menu.Item>
      )}
    </ImageMenu>
  );
};

const ImageCell = ({ location, image }: ImageOfPlace) => {
  const { t } = useTranslation('patient');
  const { patientId } = useWorkspace();
  // Rendering a menu per image is slow, so only the hovered or focused image has one.
  const [near, setNear] = useState(false);
  const name = useImageName()(image);
  const compared = comparedIn(location).indexOf(image.uid);
  const errorText = useFileErrorText()(image.storageFault);
  const documentText = useDocumentText();
  const { dragFromList } = useImageTransfer();
  // A finger scrolls the list, so it drags only after a long press.
  const pickUp = useDragStart((pointer) => dragFromList(image, pointer), 'hold');
  return (
    <li className={classes.cell} onPointerEnter={() => setNear(true)} onFocus={() => setNear(true)}>
      <Link
        href={patientPath(patientId, { series: image.seriesUid, imageUid: image.uid, history: location.history })}
        className={classes.image}
        aria-label={[t('openImage', { name }), compared >= 0 && t('comparedAs', { number: compared + 1 }), errorText]
          .filter(Boolean)
          .join(', ')}
        aria-current={location.imageUid === image.uid || compared >= 0 || undefined}
        title={name}
        draggable={false}
        onPointerDown={image.kind === 'image' ? pickUp.onPointerDown : undefined}
      >
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.isVideo ? 'video' : image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: documentText(image) }}
          errorText={errorText}
        />
        {compared >= 0 && <span className={classes.compared}>{compared + 1}</span>}
      </Link>
      {near && (
        <div className={classes.imageMenu}>
          <MenuOfCell location={location} image={image} />
        </div>
      )}
    </li>
  );
};

interface SeriesImagesProps {
  readonly study: Study;
  readonly series: Series;
  readonly location: PatientLocation;
}

/** A series: description, image count and thumbnails. */
export const SeriesImages = ({ study, series, location }: SeriesImagesProps) => {
  const { t } = useTranslation('patient');
  const modalityName = useModalityName();
  const modality = modalityName(series.modality);
  const described = series.description?.trim();
  // Many programs name a series like its study; it is shown once.
  const name = described && described !== study.description.trim() ? described : modality;
  const [isUnfolded, setUnfolded] = useState(false);
  const rejected = series.images.filter(({ grade }) => grade?.grade === 'N');
  const shownUids = [location.imageUid, ...comparedIn(location)];
  const shown = series.images.filter(
    (image) => isUnfolded || !rejected.includes(image) || shownUids.includes(image.uid),
  );
  return (
    <div>
      <div className={classes.seriesHead}>
        <h3 className={classes.seriesName} title={name}>
          {name}
        </h3>
        <span className={classes.dimmed}>
          {name === modality ? '' : `${modality} · `}
          {t('images', { count: series.images.length })}
        </span>
        <RecordMenu
          name={name}
          requests={[
            { kind: 'move-series', study, series },
            { kind: 'delete-series', study, series },
          ]}
        />
      </div>
      <ul className={classes.images}>
        {shown.map((image) => (
          <ImageCell key={image.uid} image={image} location={location} />
        ))}
      </ul>
      {rejected.length > 0 && (
        <button
          type="button"
          className={classes.rejected}
          aria-expanded={isUnfolded}
          onClick={() => setUnfolded(!isUnfolded)}
        >
          {t('notAcceptable', { count: rejected.length })}
        </button>
      )}
    </div>
  );
};
