/** The part that all objects of an import have in common. */
export const directoryOf = (taskId: string): string => `imports/${taskId}`;

/** Where an object lies in the bucket. Nothing of the file's own name, which can be a patient's, is in it. */
export const objectKey = (taskId: string, name: string): string => `${directoryOf(taskId)}/${name}`;
