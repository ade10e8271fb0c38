import { Menu } from '@mantine/core';
import IconColumns2 from '@tabler/icons-react/dist/esm/icons/IconColumns2.mjs';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'wouter';
import type { ImageInfo } from '../../../contract/images.ts';
import type { Series, Study } from '../../../contract/studies.ts';
import { useModalityName } from '../language/modality-name.tsx';
import { Thumbnail } from '../parts/thumbnail.tsx';
import { withCompared } from './compare-toggle.ts';
import { useImageName } from './image-name.ts';
import { type Place, placePath } from './place.ts';
import { RecordMenu } from './record-menu.tsx';
import classes from './study-list.module.css';

interface OfPlace {
  readonly patientId: string;
  readonly place: Place;
}

const ImageMenu = ({ patientId, place, image, name }: OfPlace & { image: ImageInfo; name: string }) => {
  const { t } = useTranslation('patient');
  const [, navigate] = useLocation();
  const toggled = image.kind === 'image' ? withCompared(place, image.uid) : null;
  return (
    <RecordMenu
      name={name}
      onBlack
      wishes={[
        { kind: 'edit-image', image, slotTeeth: [] },
        { kind: 'delete-image', image },
      ]}
    >
      {toggled && (
        <Menu.Item
          leftSection={<IconColumns2 aria-hidden="true" />}
          onClick={() => navigate(placePath(patientId, toggled))}
        >
          {place.compare.includes(image.uid) ? t('compareLess') : t('compareMore')}
        </Menu.Item>
      )}
    </RecordMenu>
  );
};

const ImageCell = ({ patientId, place, image }: OfPlace & { image: ImageInfo }) => {
  const { t } = useTranslation('patient');
  // A menu for each of hundreds of images costs; one for that which is pointed at or focused does not.
  const [near, setNear] = useState(false);
  const name = useImageName()(image);
  const compared = place.compare.indexOf(image.uid);
  return (
    <li className={classes.cell} onPointerEnter={() => setNear(true)} onFocus={() => setNear(true)}>
      <Link
        href={placePath(patientId, { series: image.seriesUid, imageUid: image.uid })}
        className={classes.image}
        aria-label={t('openImage', { name })}
        aria-current={place.imageUid === image.uid || compared >= 0 || undefined}
        title={name}
      >
        <Thumbnail
          link={image.activeImageThumbLink}
          kind={image.kind}
          words={{ pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') }}
        />
        {compared >= 0 && <span className={classes.compared}>{compared + 1}</span>}
      </Link>
      {near && (
        <div className={classes.imageMenu}>
          <ImageMenu patientId={patientId} place={place} image={image} name={name} />
        </div>
      )}
    </li>
  );
};

/** A series: what it is, how many images, and these as thumbnails. */
export const SeriesImages = ({ study, series, ...of }: OfPlace & { study: Study; series: Series }) => {
  const { t } = useTranslation('patient');
  const modalityName = useModalityName();
  const modality = modalityName(series.modality);
  const described = series.description?.trim();
  // Many programs give a series the name of its study: said once is enough.
  const name = described && described !== study.description.trim() ? described : modality;
  return (
    <div className={classes.series}>
      <div className={classes.seriesHead}>
        <h3 className={classes.seriesName} title={name}>
          {name}
        </h3>
        <span className={classes.quiet}>
          {name === modality ? '' : `${modality} · `}
          {t('images', { count: series.images.length })}
        </span>
        <RecordMenu name={name} wishes={[{ kind: 'delete-series', study, series }]} />
      </div>
      <ul className={classes.images}>
        {series.images.map((image) => (
          <ImageCell key={image.uid} image={image} {...of} />
        ))}
      </ul>
    </div>
  );
};
