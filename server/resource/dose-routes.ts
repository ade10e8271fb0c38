import type { FastifyInstance } from 'fastify';
import { imageDose, patientDose } from '../../contract/dose.ts';
import { notStatedExposure } from '../../dicom/exposure.ts';
import { doseImagesOfPatient, statedDosesOfYear } from '../db/stores/doses.ts';
import { findImage } from '../db/stores/images.ts';
import { doseByYear, doseMedians, exposuresOf } from '../domain/dose.ts';
import { requireAccessible } from '../domain/policy/require-accessible.ts';
import { bind } from '../route-binding.ts';
import { requireAccessiblePatient } from './accessible-patient.ts';
import type { ResourceDependencies } from './dependencies.ts';
import { readExposure } from './dose-reader.ts';
import { accessTo } from './record-access.ts';

/** Registers the routes that read the dose of an image and of a patient. */
export const doseRoutes = (server: FastifyInstance, deps: ResourceDependencies): void => {
  const { db, binding, accessLog } = deps;

  bind(server, binding, imageDose, async ({ principal, params }) => {
    const image = requireAccessible(principal, await findImage(db, params.id));
    await accessLog.note(accessTo(principal, image, 'dose.opened'));
    if (image.kind !== 'image' || image.source !== 'dicom') return notStatedExposure;
    return (await readExposure(deps, image)).exposure;
  });

  bind(server, binding, patientDose, async ({ principal, params }) => {
    const patient = await requireAccessiblePatient(db, principal, params.id);
    const { id: patientId, customer_id: customerId } = patient;
    const images = await doseImagesOfPatient(db, patient);
    await accessLog.note({
      accountId: principal.accountId,
      customerId,
      patientId,
      action: 'dose.opened',
      objectId: null,
    });
    const exposures = exposuresOf(images);
    const kinds = new Set(exposures.map(({ kind }) => kind));
    const ofClinic = kinds.size === 0 ? [] : exposuresOf(await statedDosesOfYear(db, customerId));
    return {
      years: doseByYear(exposures),
      medians: doseMedians(ofClinic, kinds),
      unread: images.filter(({ is_unread }) => is_unread).length,
    };
  });
};
