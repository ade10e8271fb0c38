import { SegmentedControl, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { GalleryImage } from '../../../contract/gallery.ts';
import { type GradeGroup, gradeGroups } from '../../../contract/grade-report.ts';
import { useGallery } from '../app/loaded-services.ts';
import { QueryFailed } from '../forms/query-failed.tsx';
import { useFileErrorText } from '../language/file-error-text.ts';
import { LazyThumbnail } from '../ui/lazy-thumbnail.tsx';
import type { Period } from './period.ts';
import classes from './quality.module.css';

const SampleImage = ({ image, href }: { readonly image: GalleryImage; readonly href: string }) => {
  const { t } = useTranslation(['patient', 'quality']);
  const errorText = useFileErrorText()(image.storageFault);
  const words = { pending: t('thumbnailPending'), failed: t('thumbnailFailed'), document: t('document') };
  const day = (image.imageAcquiredDate ?? image.studyDate ?? '').slice(0, 10);
  return (
    <li>
      <Link
        href={href}
        className={classes.image}
        aria-label={[t('quality:openImage', { name: image.name }), day, errorText].filter(Boolean).join(', ')}
      >
        <LazyThumbnail link={image.activeImageThumbLink} words={words} errorText={errorText} />
        <span className={classes.day}>{day}</span>
      </Link>
    </li>
  );
};

interface QualitySampleProps {
  readonly clinicId: string;
  readonly period: Period;
  readonly hrefOf: (image: GalleryImage) => string;
}

/** Images to grade, evenly spread over the period; intraoral and extraoral apart. */
export const QualitySample = ({ clinicId, period, hrefOf }: QualitySampleProps) => {
  const { t } = useTranslation('quality');
  const [group, setGroup] = useState<GradeGroup>('intraoral');
  const { data, error, refetch } = useQuery({
    ...useGallery().gradeSample({ customerId: clinicId, group, ...period }),
    // Images that were graded meanwhile leave the sample.
    refetchOnMount: 'always',
  });
  const state = () => {
    if (!data) return null;
    if (data.images === 0) return t('noImages');
    const facts = { graded: data.graded, images: data.images, count: data.data.length };
    return data.data.length === 0 ? t('sampleDone', facts) : t('sampleLeft', facts);
  };
  return (
    <section className={classes.part} aria-label={t('sample')} aria-busy={!data && !error}>
      <div className={classes.head}>
        <h2 className={classes.heading}>{t('sample')}</h2>
        <SegmentedControl
          size="xs"
          aria-label={t('group')}
          value={group}
          onChange={(value) => setGroup(gradeGroups.find((one) => one === value) ?? 'intraoral')}
          data={gradeGroups.map((value) => ({ value, label: t(value) }))}
        />
      </div>
      {error && !data && (
        <div>
          <QueryFailed error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {!data && !error && <Skeleton height={140} />}
      <p role="status" className={classes.dimmed}>
        {state()}
      </p>
      {data && data.data.length > 0 && (
        <ul className={classes.images}>
          {data.data.map((image) => (
            <SampleImage key={image.uid} image={image} href={hrefOf(image)} />
          ))}
        </ul>
      )}
    </section>
  );
};
