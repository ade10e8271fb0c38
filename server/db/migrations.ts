import type { Migration } from 'kysely/migration';
import * as archive from './migrations/001-archive.ts';
import * as signInAttempts from './migrations/002-sign-in-attempts.ts';
import * as readingRoom from './migrations/003-reading-room.ts';
import * as imports from './migrations/004-imports.ts';
import * as objectStore from './migrations/005-object-store.ts';
import * as importRuns from './migrations/006-import-runs.ts';
import * as importParts from './migrations/007-import-parts.ts';
import * as renditionsAhead from './migrations/008-renditions-ahead.ts';
import * as identity from './migrations/009-identity.ts';
import * as accessLog from './migrations/010-access-log.ts';
import * as letters from './migrations/011-letters.ts';
import * as administration from './migrations/012-administration.ts';
import * as clinics from './migrations/013-clinics.ts';
import * as people from './migrations/014-people.ts';
import * as search from './migrations/015-search.ts';
import * as recycleBin from './migrations/016-recycle-bin.ts';
import * as gallery from './migrations/017-gallery.ts';
import * as peopleByRole from './migrations/018-people-by-role.ts';
import * as oneFold from './migrations/019-one-fold.ts';
import * as restorableFunctions from './migrations/020-restorable-functions.ts';
import * as archiveFiles from './migrations/021-archive-files.ts';
import * as movedSeries from './migrations/025-moved-series.ts';
import * as fileIntegrity from './migrations/027-file-integrity.ts';
import * as backupRun from './migrations/028-backup-run.ts';
import * as node from './migrations/029-node.ts';
import * as mailFailures from './migrations/030-mail-failures.ts';
import * as deletedContents from './migrations/031-deleted-contents.ts';
import * as patientOpening from './migrations/032-patient-opening.ts';
import * as note from './migrations/033-note.ts';
import * as annotations from './migrations/034-annotations.ts';
import * as similarNames from './migrations/037-similar-names.ts';
import * as imageGrade from './migrations/038-image-grade.ts';
import * as recordChange from './migrations/040-record-change.ts';
import * as imageDose from './migrations/041-image-dose.ts';
import * as monitorCheck from './migrations/042-monitor-check.ts';
import * as jpegXlImages from './migrations/043-jpeg-xl-images.ts';
import * as sharedLink from './migrations/044-shared-link.ts';
import * as listOrder from './migrations/045-list-order.ts';
import * as httpsPictures from './migrations/046-https-pictures.ts';
import * as galleryLocks from './migrations/047-gallery-locks.ts';
import * as encryptedSecrets from './migrations/048-encrypted-secrets.ts';
import * as keyedSeals from './migrations/049-keyed-seals.ts';
import * as logFunctions from './migrations/050-log-functions.ts';
import * as accountPolicies from './migrations/051-account-policies.ts';
import * as clinicDeletion from './migrations/052-clinic-deletion.ts';
import * as retention from './migrations/053-retention.ts';
import * as destruction from './migrations/054-destruction.ts';
import * as passkeys from './migrations/055-passkeys.ts';
import * as pin from './migrations/056-pin.ts';
import * as directories from './migrations/057-directories.ts';
import * as protectedIdentity from './migrations/058-protected-identity.ts';
import * as patientChange from './migrations/059-patient-change.ts';
import * as logReview from './migrations/060-log-review.ts';
import * as dicomAttributes from './migrations/061-dicom-attributes.ts';
import * as serviceAccounts from './migrations/063-service-accounts.ts';
import * as receivedObjects from './migrations/064-received-objects.ts';
import * as dicomDevices from './migrations/065-dicom-devices.ts';
import * as structuredDisplays from './migrations/066-structured-displays.ts';
import * as studyViewers from './migrations/067-study-viewers.ts';
import * as orders from './migrations/068-orders.ts';
import * as dicomSendings from './migrations/069-dicom-sendings.ts';
import * as dicomWebIndexes from './migrations/070-dicomweb-indexes.ts';
import * as storageCommitment from './migrations/071-storage-commitment.ts';
import * as dicomFetches from './migrations/072-dicom-fetches.ts';
import * as entriesOfOrders from './migrations/074-entries-of-orders.ts';
import * as studiesOfPatient from './migrations/075-studies-of-patient.ts';
import * as fetchesByMove from './migrations/076-fetches-by-move.ts';
import * as ordersOfPrograms from './migrations/077-orders-of-programs.ts';
import * as studiesInOrder from './migrations/078-studies-in-order.ts';
import * as orderEdits from './migrations/079-order-edits.ts';
import * as deriveClaim from './migrations/080-derive-claim.ts';
import * as nodeRoles from './migrations/081-node-roles.ts';

/** All migrations, in order. A released name never changes. */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-archive': archive,
  '002-sign-in-attempts': signInAttempts,
  '003-reading-room': readingRoom,
  '004-imports': imports,
  '005-object-store': objectStore,
  '006-import-runs': importRuns,
  '007-import-parts': importParts,
  '008-renditions-ahead': renditionsAhead,
  '009-identity': identity,
  '010-access-log': accessLog,
  '011-letters': letters,
  '012-administration': administration,
  '013-clinics': clinics,
  '014-people': people,
  '015-search': search,
  '016-recycle-bin': recycleBin,
  '017-gallery': gallery,
  '018-people-by-role': peopleByRole,
  '019-one-fold': oneFold,
  '020-restorable-functions': restorableFunctions,
  '021-archive-files': archiveFiles,
  '025-moved-series': movedSeries,
  '027-file-integrity': fileIntegrity,
  '028-backup-run': backupRun,
  '029-node': node,
  '030-mail-failures': mailFailures,
  '031-deleted-contents': deletedContents,
  '032-patient-opening': patientOpening,
  '033-note': note,
  '034-annotations': annotations,
  '037-similar-names': similarNames,
  '038-image-grade': imageGrade,
  '040-record-change': recordChange,
  '041-image-dose': imageDose,
  '042-monitor-check': monitorCheck,
  '043-jpeg-xl-images': jpegXlImages,
  '044-shared-link': sharedLink,
  '045-list-order': listOrder,
  '046-https-pictures': httpsPictures,
  '047-gallery-locks': galleryLocks,
  '048-encrypted-secrets': encryptedSecrets,
  '049-keyed-seals': keyedSeals,
  '050-log-functions': logFunctions,
  '051-account-policies': accountPolicies,
  '052-clinic-deletion': clinicDeletion,
  '053-retention': retention,
  '054-destruction': destruction,
  '055-passkeys': passkeys,
  '056-pin': pin,
  '057-directories': directories,
  '058-protected-identity': protectedIdentity,
  '059-patient-change': patientChange,
  '060-log-review': logReview,
  '061-dicom-attributes': dicomAttributes,
  '063-service-accounts': serviceAccounts,
  '064-received-objects': receivedObjects,
  '065-dicom-devices': dicomDevices,
  '066-structured-displays': structuredDisplays,
  '067-study-viewers': studyViewers,
  '068-orders': orders,
  '069-dicom-sendings': dicomSendings,
  '070-dicomweb-indexes': dicomWebIndexes,
  '071-storage-commitment': storageCommitment,
  '072-dicom-fetches': dicomFetches,
  '074-entries-of-orders': entriesOfOrders,
  '075-studies-of-patient': studiesOfPatient,
  '076-fetches-by-move': fetchesByMove,
  '077-orders-of-programs': ordersOfPrograms,
  '078-studies-in-order': studiesInOrder,
  '079-order-edits': orderEdits,
  '080-derive-claim': deriveClaim,
  '081-node-roles': nodeRoles,
};
