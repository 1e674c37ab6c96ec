/** Where the files of an import are kept. */
export const importFolder = (id: string) => `imports/${id}`
/** The upload, unpacked; removed when the import ends. */
export const uploadKey = (id: string) => `${importFolder(id)}/upload`
/** What was found out about the upload; kept for the file of the failed rows. */
export const layoutKey = (id: string) => `${importFolder(id)}/layout.json`
