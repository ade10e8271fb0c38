/** Returns the common key prefix of all objects of an import. */
export const directoryOf = (taskId: string): string => `imports/${taskId}`;

/** Returns the key of an object in the bucket. It holds nothing of the file name, which may contain a patient's name. */
export const objectKey = (taskId: string, name: string): string => `${directoryOf(taskId)}/${name}`;
