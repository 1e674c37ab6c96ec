/** Where the pictures of a check are kept. */
export const checkFolder = (id: string) => `visual-checks/${id}`
export const pictureKey = (id: string, name: string) => `${checkFolder(id)}/${name}`
