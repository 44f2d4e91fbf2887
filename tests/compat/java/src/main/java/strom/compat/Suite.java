package strom.compat;

/** One subject: runs its cases one after the other through {@link Cases#run}. */
interface Suite {
    String name();

    void define(Cases cases);
}
