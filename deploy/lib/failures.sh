# What failed, out of the logs of test runs: few lines, to be read at the end of a long log. Sourced, not run;
# messages.sh comes first.
# shellcheck shell=bash

failure_heading="What failed"
failure_lines=80    # of one run of tests
failure_columns=300 # a test may say a whole log

# print_failures SWIFT_LOG PYTHON_LOG…: of runs that failed; an empty name is one that did not.
print_failures() {
    local swift_log=$1 python_log
    shift
    step "$failure_heading"
    {
        [[ -z $swift_log ]] || failures_of_swift "$swift_log"
        for python_log; do failures_of_python "$python_log"; done
    } | cut -b "-$failure_columns" | awk -v most="$failure_lines" '
        NR <= most
        END { if (NR > most) print "… and " NR - most " more lines" }'
}

# printed_failures LOG: what deploy/test printed so in this log of it; its last lines when it did not come that far.
printed_failures() {
    if grep -qxF "==> $failure_heading" "$1"; then
        sed "1,/^==> $failure_heading\$/d" "$1" | head -n -1 # without the summary
    else
        tail -n 15 "$1"
    fi
}

# failures_of_swift LOG: each issue with the first words about it, crashes, findings of sanitizers, errors of a build;
# and, where the run did not come to its end, the tests that were under way.
failures_of_swift() {
    awk '
        /^✘ Test .* recorded an issue/ { print; words = 4; next }
        words && /^(↳|  )/ { print; words--; next }
        { words = 0 }
        /(^|: )error: |[Ff]atal error: |\*\*\* (Signal|Program crashed)|^[0-9=]*(ERROR|WARNING|SUMMARY): .*Sanitizer/

        /^◇ Test run started/ { open = 1; next }
        /Test run with [0-9]+ test/ { open = 0; next }
        /^◇ Test .* started\.$/ && !/^◇ Test case / {
            sub(/^◇ /, "")
            sub(/ started\.$/, "")
            under_way[$0]
        }
        /^(✔|✘) Test .* after / {
            sub(/^(✔|✘) /, "")
            sub(/( with [0-9]+ test cases?)? (passed|failed) after .*/, "")
            delete under_way[$0]
        }
        END {
            if (!open) exit
            print "The tests did not come to their end. Under way were:"
            for (name in under_way) print "    " name
        }' "$1"
}

# failures_of_python LOG: each failed test of a unittest program with the end of its traceback; the last lines of a
# program that tells of none.
failures_of_python() {
    awk '
        function show(   line) {
            if (heading) print heading
            for (line = count > 8 ? count - 8 : 0; line < count; line++) print lines[line]
            count = 0
        }
        /^(FAIL|ERROR): / { heading = $0; count = 0; told = 1; next }
        /^(======|------)/ { if (heading && count) { show(); heading = "" } next }
        NF && (heading || !told) { lines[count++] = $0 }
        END { if (!told) show() }' "$1"
}
